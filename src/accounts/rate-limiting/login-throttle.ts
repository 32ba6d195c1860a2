import { KeyedSemaphore } from '../../async/keyed-semaphore.js';
import type { RateLimitPolicy } from '../../errors/index.js';
import {
  rateLimitExceeded,
  type RateLimitCounters,
  type RateLimitKey,
  type RateLimitUsage,
} from './rate-limit-counters.js';

const DAY_SECONDS = 86_400;
/** As many passwords as a small machine hashes concurrently. */
const CONCURRENT_PER_NETWORK = 4;
const MOST_WAITING_PER_NETWORK = 100;
const RETRY_AFTER_SECONDS = 2;
/** Waits grow up to this, so that nobody is ever locked out for good. */
const LONGEST_WAIT_SECONDS = 3_600;

export interface LoginThrottlePolicies {
  /** One subject from one network. */
  readonly pair: RateLimitPolicy;
  /** One network, whatever the subjects. */
  readonly address: RateLimitPolicy;
  /** One subject, from all networks that its account does not know. */
  readonly name: RateLimitPolicy;
}

/**
 * What failed logins are counted for: the name that a client gives, whether or not an account has it, and the account.
 * Where there is no account, as much is counted for that, so that the time tells nothing.
 */
export type LoginSubject =
  { readonly name: string } | { readonly accountId: string } | { readonly unknownName: string };

export interface FoundAccount {
  readonly id: string;
  /** Whether the account has been logged in to from the client's network before. */
  readonly isAtKnownNetwork: boolean;
}

/** A try to tell somebody's password. */
export interface LoginAttempt<Found extends FoundAccount> {
  /** What the client calls the account, in the spelling that stands for all. */
  readonly name: string;
  /** Whether the client is signed in to the account: the limits of the account then answer 429 too. */
  readonly isSignedIn?: boolean;
  /** Where it comes from. */
  readonly network: string;
  readonly find: () => Promise<Found | null>;
  /** Takes processor time; not called for an attempt that is over a limit. False for null, after as much time. */
  readonly verify: (found: Found | null) => Promise<boolean>;
}

type SubjectCounters = Readonly<Record<'pair' | 'lockouts' | 'name', RateLimitKey>>;

interface Failure {
  readonly isAtKnownNetwork: boolean;
  /** No password was compared, so nothing is added: no wait may grow by it. */
  readonly wasHeld: boolean;
}

/** Counts failed logins, and refuses more of them than the policies allow. Successful ones count nowhere. */
export class LoginThrottle {
  readonly #counters: RateLimitCounters;
  readonly #policies: LoginThrottlePolicies;
  /** How often the first limit was reached within a day: what makes the next wait longer. */
  readonly #waits: RateLimitPolicy;
  /**
   * Per client network. Failures are counted after verification, so an unlimited burst would pass the limit before the first is
   * counted; and one client would fill the queue of hashes, which all clients share.
   */
  readonly #attempts = new KeyedSemaphore({
    concurrency: CONCURRENT_PER_NETWORK,
    maxQueueLength: MOST_WAITING_PER_NETWORK,
    longestWaitMs: null,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

  constructor(counters: RateLimitCounters, policies: LoginThrottlePolicies) {
    this.#counters = counters;
    this.#policies = policies;
    this.#waits = { name: `${policies.pair.name}-waits`, quota: Number.MAX_SAFE_INTEGER, windowSeconds: DAY_SECONDS };
  }

  /**
   * Makes one attempt, unless too many have failed before: with the name, from the network, or at the account that has
   * the name. The first two are refused with their limit. An account that is over its limit by other names fails every
   * attempt as a wrong password does, with its password not compared: a refusal would tell strangers that two names are
   * one account's.
   *
   * Few attempts from one network are made at once, and the others look at the counters when their turn has come; so
   * a burst gets no more than three attempts beyond the quota from each process.
   *
   * @returns what was found, or null when it did not verify
   * @throws RateLimitedError
   * @throws UnavailableError `DATABASE_UNAVAILABLE` when nothing can be counted; `OVERLOADED` when too many attempts wait
   */
  attempt<Found extends FoundAccount>(attempt: LoginAttempt<Found>): Promise<Found | null> {
    const { name, isSignedIn = false, network, find, verify } = attempt;
    return this.#attempts.run(network, async () => {
      const found = await find();
      const isAtKnownNetwork = found?.isAtKnownNetwork ?? false;
      const address = { policy: this.#policies.address, subject: network };
      const account: LoginSubject = found === null ? { unknownName: name } : { accountId: found.id };
      const named = this.#countersOf({ name }, network);
      const behind = this.#countersOf(account, network);
      const ofName = [address, ...Object.values(named)];
      const ofAccount = Object.values(behind);
      const counts = await this.#counters.read([...ofName, ...ofAccount]);
      refuseIfOver(this.#inForce(counts, isSignedIn ? [...ofName, ...ofAccount] : ofName, isAtKnownNetwork));
      const isHeld = longestOver(this.#inForce(counts, ofAccount, isAtKnownNetwork)) !== undefined;
      if (!(await verify(isHeld ? null : found))) {
        await Promise.all([
          this.#counters.increment(address),
          this.#countFailure(named, { isAtKnownNetwork, wasHeld: false }),
          this.#countFailure(behind, { isAtKnownNetwork, wasHeld: isHeld }),
        ]);
        return null;
      }
      if (this.#hasFailures(counts)) await this.clearFailures([{ name }, account], network);
      return found;
    });
  }

  /** Forgets the failures of these from a network, when the owner has proven in another way who they are. */
  async clearFailures(subjects: readonly LoginSubject[], network: string): Promise<void> {
    const counters = subjects.map((subject) => this.#countersOf(subject, network));
    await this.#counters.reset(counters.flatMap(({ pair, lockouts }) => [pair, lockouts]));
  }

  #countersOf(subject: LoginSubject, network: string): SubjectCounters {
    const both = JSON.stringify([subject, network]);
    return {
      pair: { policy: this.#policies.pair, subject: both },
      lockouts: { policy: this.#waits, subject: both },
      name: { policy: this.#policies.name, subject: JSON.stringify(subject) },
    };
  }

  /** Failures elsewhere do not keep an owner out where the owner has logged in before. */
  #inForce(
    counts: readonly RateLimitUsage[],
    counters: readonly RateLimitKey[],
    isAtKnownNetwork: boolean,
  ): RateLimitUsage[] {
    return counts.filter(
      ({ policy, subject }) =>
        !(isAtKnownNetwork && policy === this.#policies.name) &&
        counters.some((counter) => counter.policy === policy && counter.subject === subject),
    );
  }

  /** From a known network nothing is added to the name's counter, but as much is done: the time must not tell. */
  async #countFailure(
    { pair, lockouts, name }: SubjectCounters,
    { isAtKnownNetwork, wasHeld }: Failure,
  ): Promise<void> {
    const [failures] = await Promise.all([
      this.#counters.increment(pair, wasHeld ? 0 : 1),
      this.#counters.increment(name, wasHeld || isAtKnownNetwork ? 0 : 1),
    ]);
    // Each number is handed out once, so one of several failures at the same moment makes the wait.
    if (wasHeld || failures !== pair.policy.quota) return;
    await this.#counters.block(pair, waitSeconds(pair.policy, await this.#counters.increment(lockouts)));
  }

  /** Whether there is anything for a success to forgive. */
  #hasFailures(counts: readonly RateLimitUsage[]): boolean {
    return counts.some(({ policy }) => policy === this.#policies.pair || policy === this.#waits);
  }
}

/** @param times 1 for the first wait of the day */
function waitSeconds({ windowSeconds }: RateLimitPolicy, times: number): number {
  return Math.max(windowSeconds, Math.min(windowSeconds * 2 ** (times - 1), LONGEST_WAIT_SECONDS));
}

function refuseIfOver(counts: readonly RateLimitUsage[]): void {
  const longest = longestOver(counts);
  if (longest !== undefined) throw rateLimitExceeded(longest.policy, longest.secondsLeft);
}

/** The limit that is used up for the longest. */
function longestOver(counts: readonly RateLimitUsage[]): RateLimitUsage | undefined {
  return counts
    .filter(({ count, policy }) => count >= policy.quota)
    .toSorted((one, other) => other.secondsLeft - one.secondsLeft)[0];
}
