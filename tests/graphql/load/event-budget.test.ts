import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { RequestContext } from '../../../src/graphql/context/request-context.js';
import { EventBudget } from '../../../src/graphql/load/event-budget.js';

const A_SECOND = 25_000;

let now = 5_000;
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

function asUser(userId: string): RequestContext {
  return {
    actor: { kind: 'user', userId },
    client: { address: '192.0.2.1', userAgent: null },
  } as unknown as RequestContext;
}

function asProgram(apiKeyId: string): RequestContext {
  return {
    actor: { kind: 'service', apiKeyId },
    client: { address: '192.0.2.1', userAgent: null },
  } as unknown as RequestContext;
}

/** Whether it was given at once. */
async function isGiven(taking: Promise<void>): Promise<boolean> {
  let given = false;
  void taking.then(() => {
    given = true;
  });
  await turn();
  return given;
}

describe('the budget of events', () => {
  it('gives a person what one operation may cost, and then has them wait, but nobody else', async () => {
    const budget = new EventBudget();
    expect(await isGiven(budget.take(asUser('ada'), A_SECOND))).toBe(true);
    expect(await isGiven(budget.take(asUser('ada'), 1_000))).toBe(false);
    expect(await isGiven(budget.take(asUser('grace'), 1_000))).toBe(true);
  });

  it('has everybody wait when all together have used that of the process', async () => {
    const budget = new EventBudget();
    expect(await isGiven(budget.take(asUser('ada'), A_SECOND))).toBe(true);
    expect(await isGiven(budget.take(asProgram('key'), A_SECOND))).toBe(true);
    expect(await isGiven(budget.take(asUser('grace'), 1_000))).toBe(false);
    now += 1_000;
    expect(await isGiven(budget.take(asUser('linus'), 1_000))).toBe(true);
  });

  it('lets a hundred subscriptions that ask for little hear thirty changes in a second', async () => {
    const budget = new EventBudget();
    const events = Array.from({ length: 30 * 100 }, () => budget.take(asUser('ada'), 8));
    expect(await isGiven(Promise.all(events).then(() => undefined))).toBe(true);
  });
});
