import { describe, expect, it } from '@jest/globals';
import { RateLimitedError } from '../../src/errors/index.js';
import { LargeOperationQueue } from '../../src/graphql/throttling/large-operation-queue.js';
import { SubscriptionLimiter } from '../../src/groups/change-feed/subscription-limiter.js';
import { describeDomainError } from '../../src/http-core/error-descriptor.js';
import { retryHeaders } from '../../src/http-core/retry-headers.js';

function headersOf(error: unknown): object {
  if (!(error instanceof RateLimitedError)) throw new Error('Not a RateLimitedError', { cause: error });
  return retryHeaders(describeDomainError(error));
}

describe('retryHeaders', () => {
  it('names quota and window of a rate limit', () => {
    expect(headersOf(new RateLimitedError(9, { policy: { name: 'login', quota: 10, windowSeconds: 900 } }))).toEqual({
      'retry-after': '9',
      'ratelimit-policy': '"login";q=10;w=900',
      ratelimit: '"login";r=0;t=9',
    });
  });

  it("names quota and unit of the full queue of a caller's large operations", async () => {
    const queue = new LargeOperationQueue();
    let release = (): void => undefined;
    const done = new Promise<void>((resolve) => (release = resolve));
    const queued = Array.from({ length: 20 }, () => queue.run('caller', () => done));
    const error: unknown = await queue.run('caller', () => done).catch((reason: unknown) => reason);
    release();
    await Promise.all(queued);
    expect(headersOf(error)).toEqual({
      'retry-after': '5',
      'ratelimit-policy': '"large-operations";q=20;qu="concurrent-requests"',
      ratelimit: '"large-operations";r=0;t=5',
    });
  });

  it('names quota and unit of the subscriptions of a user', () => {
    const limiter = new SubscriptionLimiter();
    const user = { kind: 'user', userId: 'ada' } as Parameters<typeof limiter.acquire>[0];
    for (let count = 0; count < 100; count += 1) limiter.acquire(user);
    let error: unknown;
    try {
      limiter.acquire(user);
    } catch (thrown) {
      error = thrown;
    }
    expect(headersOf(error)).toMatchObject({
      'ratelimit-policy': '"subscriptions";q=100;qu="concurrent-requests"',
      ratelimit: '"subscriptions";r=0;t=10',
    });
  });
});
