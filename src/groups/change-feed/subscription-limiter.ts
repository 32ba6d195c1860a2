import type { AuthenticatedActor } from '../../accounts/index.js';
import { RateLimitedError, UnavailableError } from '../../errors/index.js';

/** In one process: each costs memory and a connection. */
const MOST_LISTENERS = 5_000;
/** Of one person; a program may follow as many groups as it serves. */
const MOST_OF_A_PERSON = 100;
const RETRY_AFTER_SECONDS = 10;

/** Bounds how many listen at once. */
export class SubscriptionLimiter {
  readonly #taken = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /**
   * @returns gives the place back, once
   * @throws RateLimitedError when the person has too many
   * @throws UnavailableError `OVERLOADED` when there are too many in all
   */
  acquire(actor: AuthenticatedActor): () => void {
    const holder = actor.kind === 'user' ? actor.userId : actor.apiKeyId;
    const held = this.#taken.get(holder) ?? 0;
    if (actor.kind === 'user' && held >= MOST_OF_A_PERSON) throw new RateLimitedError(RETRY_AFTER_SECONDS);
    if (this.#total >= MOST_LISTENERS)
      throw new UnavailableError('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    this.#set(holder, held + 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#set(holder, (this.#taken.get(holder) ?? 0) - 1);
      isHeld = false;
    };
  }

  #set(holder: string, held: number): void {
    this.#total += held - (this.#taken.get(holder) ?? 0);
    if (held > 0) this.#taken.set(holder, held);
    else this.#taken.delete(holder);
  }
}
