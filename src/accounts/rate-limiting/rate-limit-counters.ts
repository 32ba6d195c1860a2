import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import { statement, type Database, type RetentionRule } from '../../database/index.js';
import { RateLimitedError, UnavailableError, type RateLimitPolicy } from '../../errors/index.js';
import type { ServerSecret } from '../secrets/server-secret.js';

/** One thing that is counted: how often `subject` did what the policy limits. */
export interface RateLimitKey {
  readonly policy: RateLimitPolicy;
  readonly subject: string;
}

/** A counter that has been used in its present window. */
export interface RateLimitUsage extends RateLimitKey {
  readonly count: number;
  /** Until it begins anew. */
  readonly secondsLeft: number;
}

interface CountRow {
  readonly key: string;
  readonly points: number;
  readonly secondsLeft: number;
}

/** The database's clock: the windows of all processes are then told by one. */
const COUNTS = statement<CountRow>(
  'rate_limit_counts',
  `
  with clock as (select extract(epoch from clock_timestamp()) * 1000 as now_ms)
  select key, points, ceil((expire - now_ms) / 1000)::int as "secondsLeft"
  from rate_limit, clock where key = any($1::text[]) and expire > now_ms`,
);

const KEY_LABEL = 'rate-limit';

/**
 * Counts in the database, so that all processes count together. Each counter begins anew when its window is over,
 * which starts with the first use.
 *
 * Every method throws UnavailableError `DATABASE_UNAVAILABLE` when it cannot count: nothing is ever let through uncounted.
 */
export class RateLimitCounters {
  readonly #database: Database;
  readonly #serverSecret: ServerSecret;
  readonly #limiters = new Map<string, RateLimiterPostgres>();

  constructor(deps: { readonly database: Database; readonly serverSecret: ServerSecret }) {
    this.#database = deps.database;
    this.#serverSecret = deps.serverSecret;
  }

  /** Reads many counters with one statement; those that are at zero are left out. */
  async read(counters: readonly RateLimitKey[]): Promise<RateLimitUsage[]> {
    const byKey = new Map(counters.map((counter) => [this.#storedKey(counter), counter]));
    const rows = await counting(this.#database.query(COUNTS, [[...byKey.keys()]]));
    return rows.flatMap(({ key, points, secondsLeft }) => {
      const counter = byKey.get(key);
      return counter === undefined ? [] : [{ ...counter, count: points, secondsLeft }];
    });
  }

  /** Counts so many more, also beyond the quota. @returns how many that makes */
  async increment(counter: RateLimitKey, points = 1): Promise<number> {
    return (await this.#add(counter, points)).consumedPoints;
  }

  /** Counts one more in the same statement that tells whether there was room. @throws RateLimitedError */
  async consume(counter: RateLimitKey): Promise<void> {
    const { consumedPoints, msBeforeNext } = await this.#add(counter, 1);
    if (consumedPoints > counter.policy.quota) throw rateLimitExceeded(counter.policy, msBeforeNext / 1_000);
  }

  /** Uses a counter up for so long from now. */
  async block(counter: RateLimitKey, seconds: number): Promise<void> {
    await counting(this.#limiterOf(counter).block(this.#keyOf(counter), seconds));
  }

  async reset(counters: readonly RateLimitKey[]): Promise<void> {
    await counting(Promise.all(counters.map((counter) => this.#limiterOf(counter).delete(this.#keyOf(counter)))));
  }

  #add(counter: RateLimitKey, points: number): Promise<RateLimiterRes> {
    return counting(this.#limiterOf(counter).penalty(this.#keyOf(counter), points));
  }

  #limiterOf({ policy }: RateLimitKey): RateLimiterPostgres {
    const known = this.#limiters.get(policy.name);
    if (known !== undefined) return known;
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

/** @param seconds until there is room again */
export function rateLimitExceeded(policy: RateLimitPolicy, seconds: number): RateLimitedError {
  return new RateLimitedError(Math.max(1, Math.ceil(seconds)), { policy });
}

/** Whatever keeps the counters from being read or written, what they guard is refused. */
async function counting<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new UnavailableError('DATABASE_UNAVAILABLE', { cause });
  }
}
