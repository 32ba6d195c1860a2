import type { AuthenticatedActor } from '../../accounts/index.js';
import { RateLimitedError, UnavailableError, type ConcurrencyPolicy } from '../../errors/index.js';

/** Per process; each subscription takes memory and a connection. */
const MAX_SUBSCRIPTIONS = 5_000;
/** Per user and process. API clients have no limit of their own. */
const MAX_SUBSCRIPTIONS_PER_USER = 100;
const RETRY_AFTER_SECONDS = 10;
const POLICY: ConcurrencyPolicy = {
  name: 'subscriptions',
  quota: MAX_SUBSCRIPTIONS_PER_USER,
  unit: 'concurrent-requests',
};

/** Limits the number of concurrent subscriptions. */
export class SubscriptionLimiter {
  readonly #countByCaller = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /**
   * Counts a subscription.
   *
   * @returns releases the subscription; further calls do nothing
   * @throws RateLimitedError when the user has 100 subscriptions
   * @throws UnavailableError `OVERLOADED` when the process has 5,000 subscriptions
   */
  acquire(actor: AuthenticatedActor): () => void {
    const caller = actor.kind === 'user' ? actor.userId : actor.apiKeyId;
    const count = this.#countByCaller.get(caller) ?? 0;
    if (actor.kind === 'user' && count >= MAX_SUBSCRIPTIONS_PER_USER)
      throw new RateLimitedError(RETRY_AFTER_SECONDS, { policy: POLICY });
    if (this.#total >= MAX_SUBSCRIPTIONS)
      throw new UnavailableError('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    this.#setCount(caller, count + 1);
    let isReleased = false;
    return () => {
      if (!isReleased) this.#setCount(caller, (this.#countByCaller.get(caller) ?? 0) - 1);
      isReleased = true;
    };
  }

  #setCount(caller: string, count: number): void {
    this.#total += count - (this.#countByCaller.get(caller) ?? 0);
    if (count > 0) this.#countByCaller.set(caller, count);
    else this.#countByCaller.delete(caller);
  }
}
