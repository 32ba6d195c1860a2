import { DAY_MS } from '../../async/durations.js';
import {
  createBatchLoader,
  createNotificationPublisher,
  startNotificationListener,
  statement,
  type BatchLoader,
  type Database,
  type NotificationListener,
  type NotificationPublisher,
  type PollTrigger,
  type RunQuery,
} from '../../database/index.js';
import type { Clock } from '../ports.js';
import { CLOCK_SKEW_SECONDS } from '../tokens/access-token-service.js';
import { RevokedSessionCache } from './revoked-session-cache.js';

export interface RevocationRegistryDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly accessTokenTtlMs: number;
  /** Hears of each notice that could not be sent. */
  readonly onError: (error: unknown) => void;
}

const CHANNEL = 'convene_revocations';
const LOOK_EVERY_MS = 400;
/** Whoever looked longer ago than this asks the database about every token, so that no revocation takes longer to hold. */
const LONGEST_SILENCE_MS = 1_000;
/** What a node may take to sign and to store, on top of what its clock may be off. */
const SLACK_MS = 60_000;
/**
 * How far the clock may go back without a look at everything: less than the slack, and more than two comparisons with the
 * database's clock differ by.
 */
const CLOCK_STEP_MS = 5_000;
/** Nothing in a notice counts: it says that there is something to read. */
const NOTICE = '';

interface News {
  /** Every transaction before this one is over, and what it wrote was seen. */
  readonly watermark: string;
  readonly revoked: readonly { readonly sessionId: string; readonly revokedAtMs: number }[];
}

const INITIAL_WATERMARK = '0';

const NEWS = statement<News>(
  'revocation_news',
  `
  select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, coalesce((
    select json_agg(json_build_object('sessionId', session_id, 'revokedAtMs', extract(epoch from revoked_at) * 1000) order by revoked_at)
    from session_revocation where transaction_id >= $1::xid8 and revoked_at > $2
  ), '[]') as revoked`,
);

const REVOKED = statement<{ id: string }>(
  'revoked_sessions',
  `
  select session_id as id from session_revocation where session_id = any($1::uuid[])`,
);

/** For how long a revocation matters: until the last access token of its session is refused by every clock. */
export function revocationTtlMs(accessTokenTtlMs: number): number {
  return accessTokenTtlMs + 2 * CLOCK_SKEW_SECONDS * 1_000 + SLACK_MS;
}

/**
 * For how long a revocation stays stored: a clock that runs two days ahead for a while must not erase what matters again
 * once it has been set right.
 */
export function revocationStoredMs(accessTokenTtlMs: number): number {
  return revocationTtlMs(accessTokenTtlMs) + 2 * DAY_MS;
}

/**
 * Which sessions were ended before their access tokens were.
 *
 * A process that follows the revocations knows all of them and answers from memory. One that does not, or that has
 * not been able to look for a second, asks the database. So does one whose clock was set back, until it has read everything
 * anew: it may have forgotten what matters again.
 */
export class RevocationRegistry {
  readonly #deps: RevocationRegistryDeps;
  readonly #revoked = new RevokedSessionCache();
  readonly #announcer: NotificationPublisher;
  readonly #stored: BatchLoader<string, { id: string }>;
  #listener: NotificationListener | null = null;
  #horizon = INITIAL_WATERMARK;
  /** By what time revocations were forgotten, or left out of a look, as outdated. */
  #forgottenUntilMs = -Infinity;

  constructor(deps: RevocationRegistryDeps) {
    this.#deps = deps;
    this.#announcer = createNotificationPublisher({
      pool: deps.database.pool,
      channel: CHANNEL,
      onError: deps.onError,
    });
    this.#stored = createBatchLoader(
      (ids: readonly string[]) => deps.database.query(REVOKED, [ids]),
      (id) => id,
      ({ id }) => id,
    );
  }

  /** @throws UnavailableError `DATABASE_UNAVAILABLE` when it has to ask the database and cannot */
  async isRevoked(sessionId: string): Promise<boolean> {
    if (this.#revoked.has(sessionId)) return true;
    const silenceMs = this.#listener?.stalenessMs() ?? Infinity;
    const knowsAll = silenceMs <= LONGEST_SILENCE_MS && !this.#isSetBack(this.#deps.clock.now().getTime());
    return !knowsAll && (await this.#stored(sessionId)) !== null;
  }

  /**
   * Puts revocations that are committed in force: here when it returns, on every other node within a second.
   *
   * Never throws. Sessions that were not committed as revoked are revoked here only, so call it after the commit.
   */
  publish(sessionIds: readonly string[]): void {
    if (sessionIds.length === 0) return;
    this.#revoked.add(sessionIds, this.#deps.clock.now().getTime() + this.#keptMs);
    this.#announcer.publish(NOTICE);
  }

  /** Resolves once everybody has been told of what was announced, or could not be. */
  flush(): Promise<void> {
    return this.#announcer.flush();
  }

  /**
   * Begins to answer from memory; resolves after the first attempt to read what is in force, also when that failed.
   *
   * @param outage hears of each failed attempt, and of each that succeeded
   */
  async start(
    url: string,
    health: { reportFailure(error: unknown): void; reportSuccess(): void },
  ): Promise<{ stop(): Promise<void> }> {
    const listener = await startNotificationListener({
      url,
      channel: CHANNEL,
      pollIntervalMs: LOOK_EVERY_MS,
      health,
      poll: (read, why) => this.#look(read, why),
    });
    this.#listener = listener;
    return listener;
  }

  async #look(read: RunQuery, { kind }: PollTrigger): Promise<void> {
    const now = this.#deps.clock.now().getTime();
    const isSetBack = this.#isSetBack(now);
    // The database behind a new connection may be one that was restored, and counts its transactions anew.
    const watermark = kind === 'first' || isSetBack ? INITIAL_WATERMARK : this.#horizon;
    const [news] = await read(NEWS, [watermark, new Date(now - this.#keptMs)]);
    if (news === undefined) return;
    this.#horizon = news.watermark;
    for (const { sessionId, revokedAtMs } of news.revoked) this.#revoked.add([sessionId], revokedAtMs + this.#keptMs);
    this.#revoked.forgetUntil(now);
    this.#forgottenUntilMs = isSetBack ? now : Math.max(now, this.#forgottenUntilMs);
  }

  #isSetBack(nowMs: number): boolean {
    return nowMs < this.#forgottenUntilMs - CLOCK_STEP_MS;
  }

  get #keptMs(): number {
    return revocationTtlMs(this.#deps.accessTokenTtlMs);
  }
}
