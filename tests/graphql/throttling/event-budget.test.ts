import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { RequestContext } from '../../../src/graphql/context/request-context.js';
import { EventBudget } from '../../../src/graphql/throttling/event-budget.js';

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

function asApiClient(apiKeyId: string): RequestContext {
  return {
    actor: { kind: 'service', apiKeyId },
    client: { address: '192.0.2.1', userAgent: null },
  } as unknown as RequestContext;
}

/** Whether the budget was available immediately. */
async function isGiven(taking: Promise<void>): Promise<boolean> {
  let given = false;
  void taking.then(() => {
    given = true;
  });
  await turn();
  return given;
}

describe('EventBudget', () => {
  it('delays the events of a user beyond the cost of one operation, and not those of others', async () => {
    const budget = new EventBudget();
    expect(await isGiven(budget.take(asUser('ada'), A_SECOND))).toBe(true);
    expect(await isGiven(budget.take(asUser('ada'), 1_000))).toBe(false);
    expect(await isGiven(budget.take(asUser('grace'), 1_000))).toBe(true);
  });

  it('delays all events beyond the total cost of the process', async () => {
    const budget = new EventBudget();
    expect(await isGiven(budget.take(asUser('ada'), A_SECOND))).toBe(true);
    expect(await isGiven(budget.take(asApiClient('key'), A_SECOND))).toBe(true);
    expect(await isGiven(budget.take(asUser('grace'), 1_000))).toBe(false);
    now += 1_000;
    expect(await isGiven(budget.take(asUser('linus'), 1_000))).toBe(true);
  });

  it('delivers thirty changes per second to a hundred small subscriptions', async () => {
    const budget = new EventBudget();
    const events = Array.from({ length: 30 * 100 }, () => budget.take(asUser('ada'), 8));
    expect(await isGiven(Promise.all(events).then(() => undefined))).toBe(true);
  });
});
