import { describe, expect, it } from '@jest/globals';
import { Figures } from '../../bench/comparison/report/figures.js';
import { comparisonPage, END, START, withComparison } from '../../bench/comparison/report/page.js';
import { REASONS } from '../../bench/comparison/report/reasons.js';
import { shortfallText } from '../../bench/comparison/report/shortfalls.js';
import { TARGETS } from '../../bench/comparison/report/targets.js';
import { verdictsOn } from '../../bench/comparison/report/verdicts.js';
import { comparisonFixture, me } from './comparison-fixture.js';

function outcomesOf(results = comparisonFixture()): Readonly<Record<string, string>> {
  return Object.fromEntries(verdictsOn(new Figures(results)).map(({ target, outcome }) => [target.id, outcome]));
}

describe('Figures', () => {
  it('compares each round with the reference of the same round', () => {
    expect(new Figures(comparisonFixture()).summary('convene REST', 'me')).toMatchObject({
      throughputRatio: { median: 3, low: 2, high: 3 },
      processorRatio: { median: 0.6, low: 0.5, high: 0.6 },
    });
  });

  it('compares each round with the fastest other program of the same round', () => {
    expect(new Figures(comparisonFixture()).ratioToFastestPeer('convene REST', 'me')).toEqual({
      median: 4,
      low: 4,
      high: 4,
    });
  });

  it('returns no ratio without a reference', () => {
    const figures = new Figures(comparisonFixture({ measurements: [me('convene REST', 1, 10, 10)] }));
    expect(figures.summary('convene REST', 'me')?.throughputRatio).toBeNull();
  });
});

describe('verdictsOn', () => {
  it('tells what is met, what misses its aim and what was not measured', () => {
    expect(outcomesOf()).toMatchObject({
      'rest.me.throughput': 'met',
      'rest.me.processor': 'met',
      'rest.me.peers': 'met',
      'service.start': 'met',
      'service.peak': 'misses its aim',
      'rest.members.throughput': 'not measured',
      'two-processes.hot-group.rate': 'not measured',
    });
  });

  it('tells what misses its must', () => {
    const slow = comparisonFixture({ measurements: [me('reference', 1, 1_000, 80), me('convene REST', 1, 900, 100)] });
    expect(outcomesOf(slow)).toHaveProperty(['rest.me.throughput'], 'misses its must');
    expect(outcomesOf(slow)).toHaveProperty(['rest.me.processor'], 'misses its must');
  });

  it('judges a figure as it is printed', () => {
    const equal = comparisonFixture({
      measurements: [me('reference', 1, 1_000, 1_000), me('convene REST', 1, 1_996, 604)],
    });
    expect(outcomesOf(equal)).toHaveProperty(['rest.me.throughput'], 'met');
    expect(outcomesOf(equal)).toHaveProperty(['rest.me.processor'], 'met');
  });
});

describe('shortfallText', () => {
  const results = comparisonFixture({
    measurements: [me('reference', 1, 1_000, 80), me('convene REST', 1, 900, 64)],
    processes: [],
    floods: [],
  });
  const targets = TARGETS.filter(({ id }) => id === 'rest.me.throughput' || id === 'rest.me.processor');

  it('lists each shortfall under its bound, with its reason', () => {
    const reasons = { 'rest.me.throughput': 'The machine is shared.' };
    expect(shortfallText(verdictsOn(new Figures(results), targets, reasons))).toBe(
      [
        'Short of its must:',
        '',
        '- REST me, throughput: 0.90 × reference, must ≥ 1 × reference. The machine is shared.',
        '',
        'Short of its aim:',
        '',
        '- REST me, processor time: 0.80 × reference, aim ≤ 0.6 × reference. No reason recorded.',
      ].join('\n'),
    );
  });

  it('says that every bound is met', () => {
    const met = verdictsOn(new Figures(comparisonFixture()), targets);
    expect(shortfallText(met)).toBe('Every measured must is met.\n\nEvery measured aim is met.');
  });

  it('has a reason only for targets that exist', () => {
    const ids = TARGETS.map(({ id }) => id);
    expect(Object.keys(REASONS).filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('comparisonPage', () => {
  const page = comparisonPage(comparisonFixture(), 'images/comparison.svg');

  it('contains conditions, plot, targets and figures', () => {
    expect(page).toContain('Measured on 2026-11-28: Node v24.0.0, PostgreSQL 18.4, processor 2 × a processor');
    expect(page).toContain('The load generator used at most 6 % of one core.');
    expect(page).toContain('2 interleaved rounds of 3.5 s. Settings of the service: `NODE_ENV=production`');
    expect(page).toContain('](images/comparison.svg)');
    expect(page).toContain('| REST me, throughput | 3.00 (2.00–3.00) × reference | ≥ 1 × reference |');
    expect(page).toContain('| memory, peak | 300 MiB | – | ≤ 180 MiB | (!) misses its aim |');
    expect(page).toContain('| me | convene REST | 2,400 | 3.00 (2.00–3.00) | 0.60 (0.50–0.60) | 60 | 40 | 25 |');
    expect(page).toContain('| convene REST | 600, 900, 650 | 90 | 170 | 300 |');
  });

  it('names subjects and targets that were not measured', () => {
    expect(page).toContain('- a & b, score: It did not start');
    expect(page).toMatch(/- Targets: .*REST members, throughput/);
  });

  it('leaves out tables without rows', () => {
    expect(page).not.toContain('### Latency at 1 connection');
  });
});

describe('withComparison', () => {
  it('replaces the text between the marks only', () => {
    expect(withComparison(`before ${START} old ${END} after`, 'new')).toBe(`before ${START}\n\nnew\n\n${END} after`);
  });

  it('rejects a page without the marks', () => {
    expect(() => withComparison('a page', 'new')).toThrow('has no section for the comparison');
  });
});
