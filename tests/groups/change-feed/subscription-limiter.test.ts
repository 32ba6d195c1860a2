import { describe, expect, it } from '@jest/globals';
import { newId, type ServiceActor, type UserActor } from '../../../src/accounts/index.js';
import { SubscriptionLimiter } from '../../../src/groups/change-feed/subscription-limiter.js';
import { errorWithReason } from '../../support/error-matchers.js';

const someone = (): UserActor => ({ kind: 'user', userId: newId(), sessionId: newId() });
const program: ServiceActor = {
  kind: 'service',
  apiKeyId: newId(),
  name: 'gateway',
  scopes: ['groups:read'],
  groupIds: null,
};

function takeMany(places: SubscriptionLimiter, count: number, actor: () => UserActor | ServiceActor): (() => void)[] {
  return Array.from({ length: count }, () => places.acquire(actor()));
}

describe('SubscriptionLimiter', () => {
  it('allows 100 subscriptions per user', () => {
    const places = new SubscriptionLimiter();
    const [ada, grace] = [someone(), someone()];
    const [leave] = takeMany(places, 100, () => ada);
    expect(() => places.acquire(ada)).toThrow(errorWithReason('RATE_LIMITED'));
    places.acquire(grace);
    leave?.();
    places.acquire(ada);
    expect(places.total).toBe(101);
  });

  it('allows an API client all 5,000 subscriptions and then rejects all callers', () => {
    const places = new SubscriptionLimiter();
    const leaves = takeMany(places, 5_000, () => program);
    expect(() => places.acquire(someone())).toThrow(errorWithReason('OVERLOADED'));
    for (const leave of leaves) leave();
    expect(places.total).toBe(0);
  });

  it('releases a subscription once when release is called twice', () => {
    const places = new SubscriptionLimiter();
    const ada = someone();
    const leave = places.acquire(ada);
    places.acquire(ada);
    leave();
    leave();
    expect(places.total).toBe(1);
  });
});
