import type { RatePolicy } from '../../errors/index.js';
import { type Count, type Counter, type Counters, overLimit } from './counters.js';
import { Turns } from './turns.js';

const DAY_SECONDS = 86_400;
/** Waits grow up to this, so that nobody is ever locked out for good. */
const LONGEST_WAIT_SECONDS = 3_600;

export interface LoginPolicies {
  /** One name from one network. */
  readonly pair: RatePolicy;
  /** One network, whatever the names. */
  readonly address: RatePolicy;
  /** One name, from all networks that its account does not know. */
  readonly name: RatePolicy;
}

/** A try to tell somebody's password. */
export interface LoginAttempt<Found> {
  /** What stands for the account: as it was typed, so that limits say nothing of whether there is such an account. */
  readonly name: string;
  /** Where it comes from. */
  readonly network: string;
  readonly find: () => Promise<Found>;
  /** Whether the account that was found has been logged in to from that network before. */
  readonly isKnownAt: (found: Found) => boolean;
  /** Takes processor time; not called for an attempt that is over a limit. */
  readonly verify: (found: Found) => Promise<boolean>;
}

type LoginCounters = Readonly<Record<keyof LoginPolicies | 'waits', Counter>>;

/** Counts failed logins, and refuses more of them than the policies allow. Successful ones count nowhere. */
export class LoginLimits {
  readonly #counters: Counters;
  readonly #policies: LoginPolicies;
  /** How often the first limit was reached within a day: what makes the next wait longer. */
  readonly #waits: RatePolicy;
  readonly #turns = new Turns();

  constructor(counters: Counters, policies: LoginPolicies) {
    this.#counters = counters;
    this.#policies = policies;
    this.#waits = { name: `${policies.pair.name}-waits`, quota: Number.MAX_SAFE_INTEGER, windowSeconds: DAY_SECONDS };
  }

  /**
   * Makes one attempt, unless too many have failed before. The counters are read while the account is looked up.
   *
   * Few attempts from one network are made at once, and the others look at the counters when their turn has come; so
   * a burst gets no more than three attempts beyond the quota from each process.
   *
   * @returns what was found, or null when it did not verify
   * @throws RateLimitedError
   * @throws UnavailableError `DATABASE_UNAVAILABLE` when nothing can be counted; `OVERLOADED` when too many attempts wait
   */
  attempt<Found>(attempt: LoginAttempt<Found>): Promise<Found | null> {
    return this.#turns.take(attempt.network, async () => {
      const counters = this.#countersOf(attempt);
      const [found, counts] = await Promise.all([attempt.find(), this.#counters.read(Object.values(counters))]);
      const isKnown = attempt.isKnownAt(found);
      refuseIfOver(isKnown ? counts.filter(({ policy }) => policy !== this.#policies.name) : counts);
      if (!(await attempt.verify(found))) {
        await this.#countFailure(counters, isKnown);
        return null;
      }
      if (hasSlipped(counts, counters)) await this.forgive([attempt.name], attempt.network);
      return found;
    });
  }

  /** Forgets the failures with these names from a network, of somebody who has proven in another way who they are. */
  async forgive(names: readonly string[], network: string): Promise<void> {
    const counters = names.map((name) => this.#countersOf({ name, network }));
    await this.#counters.clear(counters.flatMap(({ pair, waits }) => [pair, waits]));
  }

  #countersOf({ name, network }: { readonly name: string; readonly network: string }): LoginCounters {
    const { pair, address, name: byName } = this.#policies;
    const both = JSON.stringify([name, network]);
    return {
      pair: { policy: pair, subject: both },
      waits: { policy: this.#waits, subject: both },
      address: { policy: address, subject: network },
      name: { policy: byName, subject: name },
    };
  }

  /** From a known network nothing is added to the name's counter, but as much is done: the time must not tell. */
  async #countFailure({ pair, waits, address, name }: LoginCounters, isKnown: boolean): Promise<void> {
    const [failures] = await Promise.all([
      this.#counters.add(pair), this.#counters.add(address), this.#counters.add(name, isKnown ? 0 : 1),
    ]);
    // Each number is handed out once, so one of several failures at the same moment makes the wait.
    if (failures !== pair.policy.quota) return;
    await this.#counters.block(pair, waitSeconds(pair.policy, await this.#counters.add(waits)));
  }
}

/** Whether there is anything for a success to forgive. */
function hasSlipped(counts: readonly Count[], { pair, waits }: LoginCounters): boolean {
  return counts.some(({ policy }) => policy === pair.policy || policy === waits.policy);
}

/** @param times 1 for the first wait of the day */
function waitSeconds({ windowSeconds }: RatePolicy, times: number): number {
  return Math.max(windowSeconds, Math.min(windowSeconds * 2 ** (times - 1), LONGEST_WAIT_SECONDS));
}

function refuseIfOver(counts: readonly Count[]): void {
  const [longest] = counts.filter(({ count, policy }) => count >= policy.quota).toSorted((one, other) => other.secondsLeft - one.secondsLeft);
  if (longest !== undefined) throw overLimit(longest.policy, longest.secondsLeft);
}
