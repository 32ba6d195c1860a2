import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import { statement, type Database, type RetentionRule } from '../../database/index.js';
import { RateLimitedError, UnavailableError, type RateLimitPolicy } from '../../errors/index.js';
import type { ServerSecret } from '../secrets/server-secret.js';

/** Identifies a counter: the uses of a policy by a subject. */
export interface RateLimitKey {
  readonly policy: RateLimitPolicy;
  readonly subject: string;
}

/** A counter that is not zero in its present window. */
export interface RateLimitUsage extends RateLimitKey {
  readonly count: number;
  /** Until the window ends. */
  readonly secondsLeft: number;
}

interface CountRow {
  readonly key: string;
  readonly points: number;
  readonly secondsLeft: number;
}

/** Uses the database's clock, so that all processes agree on the windows. */
const COUNTS = statement<CountRow>(
  'rate_limit_counts',
  `
  with clock as (select extract(epoch from clock_timestamp()) * 1000 as now_ms)
  select key, points, ceil((expire - now_ms) / 1000)::int as "secondsLeft"
  from rate_limit, clock where key = any($1::text[]) and expire > now_ms`,
);

const KEY_LABEL = 'rate-limit';

/**
 * Fixed-window counters in the database, shared by all processes. A window starts with the first use.
 *
 * Every method throws UnavailableError `DATABASE_UNAVAILABLE` when it cannot count: no use passes uncounted.
 */
export class RateLimitCounters {
  readonly #database: Database;
  readonly #serverSecret: ServerSecret;
  readonly #limiters = new Map<string, RateLimiterPostgres>();

  constructor(deps: { readonly database: Database; readonly serverSecret: ServerSecret }) {
    this.#database = deps.database;
    this.#serverSecret = deps.serverSecret;
  }

  /** Reads several counters with one statement. Counters at zero are omitted. */
  async read(counters: readonly RateLimitKey[]): Promise<RateLimitUsage[]> {
    const byKey = new Map(counters.map((counter) => [this.#storedKey(counter), counter]));
    const rows = await orUnavailable(this.#database.query(COUNTS, [[...byKey.keys()]]));
    return rows.flatMap(({ key, points, secondsLeft }) => {
      const counter = byKey.get(key);
      return counter === undefined ? [] : [{ ...counter, count: points, secondsLeft }];
    });
  }

  /**
   * Adds points, also beyond the quota.
   *
   * @returns the new count
   */
  async increment(counter: RateLimitKey, points = 1): Promise<number> {
    return (await this.#add(counter, points)).consumedPoints;
  }

  /**
   * Adds one point and checks the quota in the same statement.
   *
   * @throws RateLimitedError when the quota is exceeded
   */
  async consume(counter: RateLimitKey): Promise<void> {
    const { consumedPoints, msBeforeNext } = await this.#add(counter, 1);
    if (consumedPoints > counter.policy.quota) throw rateLimitExceeded(counter.policy, msBeforeNext / 1_000);
  }

  /** Exhausts a counter for this many seconds from now. */
  async block(counter: RateLimitKey, seconds: number): Promise<void> {
    /** Of constant length, and contains no name or address. */
    await orUnavailable(this.#limiterOf(counter).block(this.#keyOf(counter), seconds));
  }

  async reset(counters: readonly RateLimitKey[]): Promise<void> {
    await orUnavailable(Promise.all(counters.map((counter) => this.#limiterOf(counter).delete(this.#keyOf(counter)))));
  }

  #add(counter: RateLimitKey, points: number): Promise<RateLimiterRes> {
    return orUnavailable(this.#limiterOf(counter).penalty(this.#keyOf(counter), points));
  }

  #limiterOf({ policy }: RateLimitKey): RateLimiterPostgres {
    const cached = this.#limiters.get(policy.name);
    if (cached !== undefined) return cached;
    const limiter = new RateLimiterPostgres({
      storeClient: this.#database.pool,
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: policy.name,
      points: policy.quota,
      duration: policy.windowSeconds,
    });
    this.#limiters.set(policy.name, limiter);
    return limiter;
  }

  /** Of one length whatever was sent, and no name or address in it. */
  #keyOf({ policy, subject }: RateLimitKey): string {
    return this.#serverSecret.hmac(KEY_LABEL, JSON.stringify([policy.name, subject])).toString('base64url');
  }

  #storedKey(counter: RateLimitKey): string {
    return this.#limiterOf(counter).getKey(this.#keyOf(counter));
  }
}

/** `expire` holds milliseconds since 1970. */
export const RATE_LIMIT_RETENTION_RULE: RetentionRule = {
  table: 'rate_limit',
  ageColumn: 'expire',
  condition: 'expire < (extract(epoch from $1::timestamptz) * 1000)::bigint',
};

/** @param seconds until the next use is allowed */
export function rateLimitExceeded(policy: RateLimitPolicy, seconds: number): RateLimitedError {
  return new RateLimitedError(Math.max(1, Math.ceil(seconds)), { policy });
}

/** Rejects the guarded operation whenever the counters cannot be read or written. */
async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new UnavailableError('DATABASE_UNAVAILABLE', { cause });
  }
}
