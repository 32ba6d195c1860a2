import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CostBudget } from '../../../src/graphql/load/cost-budget.js';

const PER_SECOND = 1_000;

let now = 5_000;
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('a budget of cost', () => {
  it('gives the budget of a second at once, and then as much in each second as it has', () => {
    const budget = new CostBudget(PER_SECOND);
    expect([600, 400, 500, 500].map((cost) => budget.reserve(cost))).toEqual([0, 0, 500, 1_000]);
    now += 2_000;
    expect(budget.isFull).toBe(true);
    expect(budget.reserve(1_000)).toBe(0);
  });

  it('gives in the order in which it was asked', () => {
    const budget = new CostBudget(PER_SECOND);
    budget.reserve(1_000);
    const waits = [1, 100, 1].map((cost) => budget.reserve(cost));
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits[2]).toBeCloseTo(102);
  });

  it('gives what costs more than it holds when it is full, and is empty for as long as that is worth', () => {
    const budget = new CostBudget(PER_SECOND);
    expect(budget.reserve(3_000)).toBe(0);
    expect(budget.reserve(1)).toBeCloseTo(2_001);
  });

  it('gets back what nobody has waited for to the end', async () => {
    const budget = new CostBudget(PER_SECOND);
    budget.reserve(1_000);
    const leaving = new AbortController();
    const waiting = [1, 2, 3].map(() => budget.take(1_000, leaving.signal));
    leaving.abort();
    await Promise.all([...waiting, budget.take(1_000, leaving.signal)]);
    expect(budget.reserve(500)).toBe(500);
  });

  it('is worth no more after a long rest than after a second', () => {
    const budget = new CostBudget(PER_SECOND);
    now += 60_000;
    expect([1_000, 1_000].map((cost) => budget.reserve(cost))).toEqual([0, 1_000]);
  });
});
