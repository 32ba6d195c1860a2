import { DAY_SECONDS, HOUR_SECONDS } from '../../async/durations.js';
import { KeyedSemaphore, overloaded } from '../../async/keyed-semaphore.js';
import type { RateLimitPolicy } from '../../errors/index.js';
import {
  rateLimitExceeded,
  type RateLimitCounters,
  type RateLimitKey,
  type RateLimitUsage,
} from './rate-limit-counters.js';

/** More than a small machine hashes at a time, so that the next account is read while a password is hashed. */
const MAX_CONCURRENT_PER_NETWORK = 4;
const MAX_QUEUED_PER_NETWORK = 100;
const RETRY_AFTER_SECONDS = 2;
/** Lockouts grow up to this, so that no user is locked out permanently. */
const MAX_LOCKOUT_SECONDS = HOUR_SECONDS;

export interface LoginThrottlePolicies {
  /** One subject from one network. */
  readonly pair: RateLimitPolicy;
  /** One network, all subjects. */
  readonly address: RateLimitPolicy;
  /** One subject, from all networks that its account does not know. */
  readonly name: RateLimitPolicy;
}

/**
 * Subject by which failed logins are counted: the name that the client sent, whether or not an account has it, and the
 * account. For an unknown name a substitute is counted, so that the time reveals nothing.
 */
export type LoginSubject =
  { readonly name: string } | { readonly accountId: string } | { readonly unknownName: string };

export interface FoundAccount {
  readonly id: string;
  /** Whether the account has logged in from the client's network before. */
  readonly isAtKnownNetwork: boolean;
}

/** An attempt to verify a password. */
export interface LoginAttempt<Found extends FoundAccount> {
  /** Case-insensitive key of the name that the client sent. */
  readonly name: string;
  /**
   * Whether the client is signed in to the account. Exceeded limits of the account then also throw RateLimitedError.
   */
  readonly isSignedIn?: boolean;
  /** The client's network. */
  readonly network: string;
  readonly find: () => Promise<Found | null>;
  /**
   * Takes processor time; not called for an attempt over a limit of the name or network. Returns false for null, after
   * as much time.
   */
  readonly verify: (found: Found | null) => Promise<boolean>;
}

type SubjectCounters = Readonly<Record<'pair' | 'lockouts' | 'name', RateLimitKey>>;

interface Failure {
  readonly isAtKnownNetwork: boolean;
  /** No password was compared, so nothing is added: no lockout grows by it. */
  readonly isAccountLimited: boolean;
}

/**
 * Brute-force throttle: counts failed logins and rejects attempts beyond the policies. Successful logins are not
 * counted.
 */
export class LoginThrottle {
  readonly #counters: RateLimitCounters;
  readonly #policies: LoginThrottlePolicies;
  /** Number of lockouts within 24 h, which determines the length of the next one. */
  readonly #lockouts: RateLimitPolicy;
  /**
   * Semaphore per client network. Failures are counted after verification, so an unlimited burst would pass the limit
   * before the first failure is counted. It also keeps one client from filling the shared hashing queue.
   */
  readonly #attempts = new KeyedSemaphore({
    concurrency: MAX_CONCURRENT_PER_NETWORK,
    maxQueueLength: MAX_QUEUED_PER_NETWORK,
    longestWaitMs: null,
    overloadError: overloaded(RETRY_AFTER_SECONDS),
  });

  constructor(counters: RateLimitCounters, policies: LoginThrottlePolicies) {
    this.#counters = counters;
    this.#policies = policies;
    this.#lockouts = {
      name: `${policies.pair.name}-waits`,
      quota: Number.MAX_SAFE_INTEGER,
      windowSeconds: DAY_SECONDS,
    };
  }

  /**
   * Makes one attempt, unless too many have failed: with the name, from the network, or at the account with that name.
   *
   * The first two throw RateLimitedError. An account over its limit by other names fails like a wrong password, without
   * comparing it: an error would reveal that two names belong to one account.
   *
   * Attempts of one network run with bounded concurrency and read the counters when they start, so a burst exceeds the
   * quota by at most three attempts per process.
   *
   * @returns the account, or null when the password did not verify
   * @throws RateLimitedError
   * @throws UnavailableError `DATABASE_UNAVAILABLE` when the counters fail; `OVERLOADED` when too many attempts are
   *   queued
   */
  attempt<Found extends FoundAccount>(attempt: LoginAttempt<Found>): Promise<Found | null> {
    const { name, isSignedIn = false, network, find, verify } = attempt;
    return this.#attempts.run(network, async () => {
      const found = await find();
      const isAtKnownNetwork = found?.isAtKnownNetwork ?? false;
      const address = { policy: this.#policies.address, subject: network };
      const account: LoginSubject = found === null ? { unknownName: name } : { accountId: found.id };
      const nameCounters = this.#countersOf({ name }, network);
      const accountCounters = this.#countersOf(account, network);
      const ofName = [address, ...Object.values(nameCounters)];
      const ofAccount = Object.values(accountCounters);
      const counts = await this.#counters.read([...ofName, ...ofAccount]);
      /** Failures from other networks do not lock the owner out of a known network. */
      rejectIfExceeded(this.#inForce(counts, isSignedIn ? [...ofName, ...ofAccount] : ofName, isAtKnownNetwork));
      const isAccountLimited = longestExceeded(this.#inForce(counts, ofAccount, isAtKnownNetwork)) !== undefined;
      if (!(await verify(isAccountLimited ? null : found))) {
        await Promise.all([
          this.#counters.increment(address),
          this.#countFailure(nameCounters, { isAtKnownNetwork, isAccountLimited: false }),
          this.#countFailure(accountCounters, { isAtKnownNetwork, isAccountLimited: isAccountLimited }),
        ]);
        return null;
      }
      /** Whether a success has failures to clear. */
      if (this.#hasFailures(counts)) await this.clearFailures([{ name }, account], network);
      return found;
    });
  }

  /** Clears the failures of the subjects from a network, after the owner has authenticated in another way. */
  async clearFailures(subjects: readonly LoginSubject[], network: string): Promise<void> {
    const counters = subjects.map((subject) => this.#countersOf(subject, network));
    await this.#counters.reset(counters.flatMap(({ pair, lockouts }) => [pair, lockouts]));
  }

  #countersOf(subject: LoginSubject, network: string): SubjectCounters {
    const both = JSON.stringify([subject, network]);
    return {
      pair: { policy: this.#policies.pair, subject: both },
      lockouts: { policy: this.#lockouts, subject: both },
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

  /**
   * From a known network nothing is added to the counter of the name, but the same statements run, so that the time
   * reveals nothing.
   */
  async #countFailure(
    { pair, lockouts, name }: SubjectCounters,
    { isAtKnownNetwork, isAccountLimited }: Failure,
  ): Promise<void> {
    const [failures] = await Promise.all([
      this.#counters.increment(pair, isAccountLimited ? 0 : 1),
      this.#counters.increment(name, isAccountLimited || isAtKnownNetwork ? 0 : 1),
    ]);
    // Each count is returned once, so exactly one of several concurrent failures starts the lockout.
    if (isAccountLimited || failures !== pair.policy.quota) return;
    await this.#counters.block(pair, lockoutSeconds(pair.policy, await this.#counters.increment(lockouts)));
  }

  /** Whether there is anything for a success to forgive. */
  #hasFailures(counts: readonly RateLimitUsage[]): boolean {
    return counts.some(({ policy }) => policy === this.#policies.pair || policy === this.#lockouts);
  }
}

/** @param times number of the lockout within 24 h, from 1 */
function lockoutSeconds({ windowSeconds }: RateLimitPolicy, times: number): number {
  return Math.max(windowSeconds, Math.min(windowSeconds * 2 ** (times - 1), MAX_LOCKOUT_SECONDS));
}

function rejectIfExceeded(counts: readonly RateLimitUsage[]): void {
  const longest = longestExceeded(counts);
  if (longest !== undefined) throw rateLimitExceeded(longest.policy, longest.secondsLeft);
}

/** The exceeded limit that lasts longest. */
function longestExceeded(counts: readonly RateLimitUsage[]): RateLimitUsage | undefined {
  return counts
    .filter(({ count, policy }) => count >= policy.quota)
    .toSorted((one, other) => other.secondsLeft - one.secondsLeft)[0];
}
