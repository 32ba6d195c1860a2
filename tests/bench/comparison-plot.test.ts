import { describe, expect, it } from '@jest/globals';
import { Figures } from '../../bench/comparison/report/figures.js';
import { LogScale } from '../../bench/comparison/report/log-scale.js';
import { plotOf } from '../../bench/comparison/report/plot.js';
import { comparisonFixture } from './comparison-fixture.js';

describe('LogScale', () => {
  it('covers all values and 1, with marks at powers of ten, their doubles and fivefolds', () => {
    const scale = new LogScale([0.3, 1.8], 100, 200);
    expect(scale.marks()).toEqual([0.2, 0.5, 1, 2]);
    expect(scale.positionOf(0.2)).toBe(100);
    expect(scale.positionOf(2)).toBeCloseTo(200);
  });

  it('marks only powers of ten and its ends on a long axis', () => {
    expect(new LogScale([0.02, 30], 0, 1).marks()).toEqual([0.02, 0.1, 1, 10, 50]);
  });
});

describe('plotOf', () => {
  const svg = plotOf(new Figures(comparisonFixture()));

  it('draws the same text for the same results', () => {
    expect(plotOf(new Figures(comparisonFixture()))).toBe(svg);
  });

  it('escapes the names of programs, and closes every element', () => {
    expect(svg).toContain('>a &amp; b</text>');
    const closed = svg.match(/<[a-z]+ [^>]*\/>/g) ?? [];
    const opened = svg.match(/<[a-z]+[ >]/g) ?? [];
    const ends = svg.match(/<\/[a-z]+>/g) ?? [];
    expect(opened.length - closed.length).toBe(ends.length);
  });

  it('has a title and a description with the figures of the service', () => {
    expect(svg).toContain('role="img" aria-labelledby="title description"');
    expect(svg).toContain('<title id="title">');
    expect(svg).toMatch(/<desc id="description">.*me, convene REST: throughput 3\.0, processor time 0\.60/);
  });

  it('has colours for dark pages and units on its axes', () => {
    expect(svg).toContain('@media (prefers-color-scheme: dark)');
    expect(svg).toContain('Throughput, multiple of the reference');
    expect(svg).toContain('>1×</text>');
  });
});
