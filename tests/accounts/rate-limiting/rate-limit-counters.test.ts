import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RateLimitKey } from '../../../src/accounts/rate-limiting/rate-limit-counters.js';
import { countStatements } from '../../support/database/count-statements.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { createRateLimitingFixture, type RateLimitingFixture } from './rate-limiting-fixture.js';

let fixture: RateLimitingFixture;
let made = 0;

beforeAll(async () => {
  fixture = await createRateLimitingFixture();
});
afterAll(() => fixture.remove());

/** A counter that nothing has counted yet: three within a minute. */
function fresh(subject = `subject-${String(made++)}`): RateLimitKey {
  return { policy: { name: 'test', quota: 3, windowSeconds: 60 }, subject };
}

describe('counter', () => {
  it('adds up the uses of several processes', async () => {
    const counter = fresh();
    expect(await fixture.counters().increment(counter)).toBe(1);
    expect(await fixture.counters().increment(counter)).toBe(2);
    const [count] = await fixture.counters().read([counter]);
    expect(count).toMatchObject({ ...counter, count: 2 });
    expect(count?.secondsLeft).toBeGreaterThan(55);
    expect(count?.secondsLeft).toBeLessThanOrEqual(60);
  });

  it('returns a different number to each concurrent call', async () => {
    const counter = fresh();
    const numbers = await Promise.all(Array.from({ length: 20 }, () => fixture.counters().increment(counter)));
    expect(numbers.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it('allows the quota and then rejects with the rest of the window as wait', async () => {
    const counter = fresh();
    for (let use = 0; use < 3; use += 1) await fixture.counters().consume(counter);
    await expect(fixture.counters().consume(counter)).rejects.toMatchObject({
      reason: 'RATE_LIMITED',
      policy: counter.policy,
      retryAfterSeconds: expect.any(Number),
    });
    await fixture.pass(30);
    const late = await fixture
      .counters()
      .consume(counter)
      .catch((error: unknown) => error);
    expect((late as { retryAfterSeconds: number }).retryAfterSeconds).toBeLessThanOrEqual(30);
  });

  it('restarts after its window', async () => {
    const counter = fresh();
    for (let use = 0; use < 3; use += 1) await fixture.counters().increment(counter);
    await fixture.pass(60);
    expect(await fixture.counters().read([counter])).toEqual([]);
    await fixture.counters().consume(counter);
    expect(await fixture.counters().read([counter])).toMatchObject([{ count: 1 }]);
  });

  it('rejects while it is blocked', async () => {
    const counter = fresh();
    await fixture.counters().block(counter, 600);
    await fixture.pass(500);
    await expect(fixture.counters().consume(counter)).rejects.toEqual(errorWithReason('RATE_LIMITED'));
    await fixture.pass(101);
    await fixture.counters().consume(counter);
  });

  it('is zero after reset', async () => {
    const [one, other] = [fresh(), fresh()];
    await Promise.all([fixture.counters().increment(one), fixture.counters().increment(other)]);
    await fixture.counters().reset([one, other]);
    expect(await fixture.counters().read([one, other])).toEqual([]);
  });

  it('is separate per limit for the same subject', async () => {
    const counter = fresh();
    await fixture.counters().increment(counter);
    expect(await fixture.counters().read([{ ...counter, policy: { ...counter.policy, name: 'other' } }])).toEqual([]);
  });
});

describe('RateLimitCounters', () => {
  it('read many counters in one statement', async () => {
    const counters = [fresh(), fresh(), fresh()];
    await fixture.counters().increment(counters[1] ?? fresh());
    const { result, statements } = await countStatements(() => fixture.counters().read(counters));
    expect(result).toMatchObject([{ subject: counters[1]?.subject, count: 1 }]);
    expect(statements).toBe(1);
  });

  it('store no subjects, only MACs of constant length', async () => {
    await fixture.counters().increment(fresh('canary@example.org'));
    await fixture.counters().increment(fresh(`canary${'y'.repeat(100_000)}\u0000`));
    const { rows } = await fixture.database.pool.query<{ key: string }>('select key from rate_limit');
    expect(rows.length).toBeGreaterThan(1);
    for (const { key } of rows) expect(key).toMatch(/^test:[\w-]{43}$/);
  });

  it('reject when the database is unavailable', async () => {
    await fixture.database.pool.query('alter table rate_limit rename to away');
    const counters = fixture.counters();
    await expect(counters.consume(fresh())).rejects.toEqual(errorWithReason('DATABASE_UNAVAILABLE'));
    await expect(counters.increment(fresh())).rejects.toEqual(errorWithReason('DATABASE_UNAVAILABLE'));
    await expect(counters.read([fresh()])).rejects.toEqual(errorWithReason('DATABASE_UNAVAILABLE'));
    await fixture.database.pool.query('alter table away rename to rate_limit');
  });
});
