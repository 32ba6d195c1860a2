import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CostBudget } from '../../../src/graphql/throttling/cost-budget.js';

const PER_SECOND = 1_000;

let now = 5_000;
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('CostBudget', () => {
  it('grants the cost of one second immediately, and later costs at the rate', () => {
    const budget = new CostBudget(PER_SECOND);
    expect([600, 400, 500, 500].map((cost) => budget.reserve(cost))).toEqual([0, 0, 500, 1_000]);
    now += 2_000;
    expect(budget.isFull).toBe(true);
    expect(budget.reserve(1_000)).toBe(0);
  });

  it('grants costs in the order of the calls', () => {
    const budget = new CostBudget(PER_SECOND);
    budget.reserve(1_000);
    const waits = [1, 100, 1].map((cost) => budget.reserve(cost));
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits[2]).toBeCloseTo(102);
  });

  it('grants a cost above the capacity when full, and is then empty for the seconds it is worth', () => {
    const budget = new CostBudget(PER_SECOND);
    expect(budget.reserve(3_000)).toBe(0);
    expect(budget.reserve(1)).toBeCloseTo(2_001);
  });

  it('gets back the cost of aborted callers', async () => {
    const budget = new CostBudget(PER_SECOND);
    budget.reserve(1_000);
    const aborted = new AbortController();
    const waiting = [1, 2, 3].map(() => budget.take(1_000, aborted.signal));
    aborted.abort();
    await Promise.all([...waiting, budget.take(1_000, aborted.signal)]);
    expect(budget.reserve(500)).toBe(500);
  });

  it('accumulates no more than the cost of one second', () => {
    const budget = new CostBudget(PER_SECOND);
    now += 60_000;
    expect([1_000, 1_000].map((cost) => budget.reserve(cost))).toEqual([0, 1_000]);
  });
});
