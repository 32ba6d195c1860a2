import { DAY_MS, MINUTE_MS } from '../../async/durations.js';
import {
  createBatchLoader,
  createNotificationPublisher,
  isOlderThanSql,
  startNotificationListener,
  statement,
  type BatchLoader,
  type Database,
  type NotificationListener,
  type NotificationPublisher,
  type PollTrigger,
  type Pooler,
  type RetentionRule,
  type RunQuery,
} from '../../database/index.js';
import type { Clock } from '../ports/clock.js';
import { CLOCK_SKEW_SECONDS } from '../tokens/access-token-service.js';

export interface RevocationRegistryDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly accessTokenTtlMs: number;
  /** Called with the error of each notification that could not be sent. */
  readonly onError: (error: unknown) => void;
}

const CHANNEL = 'convene_revocations';
const POLL_INTERVAL_MS = 400;
/**
 * A process whose last successful poll is older than this checks every token in the database, which bounds the delay of
 * a revocation.
 */
const MAX_STALENESS_MS = 1_000;
/** Allowance for the time that signing and storing take, in addition to the clock skew. */
const SLACK_MS = MINUTE_MS;
/**
 * How far the clock may go back before all revocations are read again. Less than `SLACK_MS`, and more than two
 * comparisons with the database's clock differ by.
 */
const CLOCK_TOLERANCE_MS = 5_000;
/** Notifications carry no payload; each only triggers a poll. */
const EMPTY_PAYLOAD = '';

interface RevocationDelta {
  /** Transaction id. All transactions with a lower id have ended, and their revocations are included. */
  readonly watermark: string;
  readonly revoked: readonly { readonly sessionId: string; readonly revokedAtMs: number }[];
}

const INITIAL_WATERMARK = '0';

const REVOCATIONS_SINCE = statement<RevocationDelta>(
  'revocations_since',
  `
  select pg_snapshot_xmin(pg_current_snapshot())::text as watermark, coalesce((
    select json_agg(
      json_build_object('sessionId', session_id, 'revokedAtMs', extract(epoch from revoked_at) * 1000)
      order by revoked_at
    )
    from session_revocation where transaction_id >= $1::xid8 and revoked_at > $2
  ), '[]') as revoked`,
);

const REVOKED = statement<{ id: string }>(
  'revoked_sessions',
  `
  select session_id as id from session_revocation where session_id = any($1::uuid[])`,
);

/** How long a revocation is relevant: until the clocks of all processes reject the last access token of its session. */
export function revocationTtlMs(accessTokenTtlMs: number): number {
  return accessTokenTtlMs + 2 * CLOCK_SKEW_SECONDS * 1_000 + SLACK_MS;
}

/**
 * How long a revocation is stored: 2 days longer, so that a process whose clock is temporarily up to 2 days ahead does
 * not erase revocations that are still relevant.
 */
function revocationStoredMs(accessTokenTtlMs: number): number {
  return revocationTtlMs(accessTokenTtlMs) + 2 * DAY_MS;
}

export function revocationRetentionRule(accessTokenTtlMs: number): RetentionRule {
  const condition = isOlderThanSql('revoked_at', revocationStoredMs(accessTokenTtlMs));
  return { table: 'session_revocation', ageColumn: 'revoked_at', condition };
}

/**
 * Registry of revoked sessions.
 *
 * A process that has started the registry holds all relevant revocations in memory. It checks the database instead when
 * it has not started, when its last successful poll is older than 1 s, and after its clock was set back, until it has
 * read all revocations again: entries that it evicted may be relevant again.
 */
export class RevocationRegistry {
  readonly #deps: RevocationRegistryDeps;
  readonly #revoked = new RevokedSessionCache();
  readonly #publisher: NotificationPublisher;
  readonly #loadRevoked: BatchLoader<string, { id: string }>;
  #listener: NotificationListener | null = null;
  #watermark = INITIAL_WATERMARK;
  /** Time until which expired revocations were evicted, or skipped by a poll. */
  #evictedUntilMs = -Infinity;

  constructor(deps: RevocationRegistryDeps) {
    this.#deps = deps;
    this.#publisher = createNotificationPublisher({
      pool: deps.database.pool,
      channel: CHANNEL,
      onError: deps.onError,
    });
    this.#loadRevoked = createBatchLoader(
      (ids: readonly string[]) => deps.database.query(REVOKED, [ids]),
      (id) => id,
      ({ id }) => id,
    );
  }

  /** @throws UnavailableError `DATABASE_UNAVAILABLE` when a check in the database is needed and fails */
  async isRevoked(sessionId: string): Promise<boolean> {
    if (this.#revoked.has(sessionId)) return true;
    return !this.#isComplete() && (await this.#loadRevoked(sessionId)) !== null;
  }

  /** False also for a session of which only the database knows whether it is revoked. */
  isKnownToBeInForce(sessionId: string): boolean {
    return !this.#revoked.has(sessionId) && this.#isComplete();
  }

  /**
   * Applies committed revocations: in this process immediately, in every other process within 1 s.
   *
   * Never throws. Call it after the commit; a session whose revocation is not committed is revoked in this process
   * only.
   */
  publish(sessionIds: readonly string[]): void {
    if (sessionIds.length === 0) return;
    this.#revoked.add(sessionIds, this.#deps.clock.now().getTime() + this.#ttlMs);
    this.#publisher.publish(EMPTY_PAYLOAD);
  }

  /** Resolves when all published notifications have been sent or have failed. */
  flush(): Promise<void> {
    return this.#publisher.flush();
  }

  /**
   * Starts answering from memory. Resolves after the first attempt to read the revocations, also when it failed.
   *
   * @param health called after each failed and each successful attempt
   */
  async start(
    url: string,
    health: { reportFailure(error: unknown): void; reportSuccess(): void },
    pooler?: Pooler,
  ): Promise<{ stop(): Promise<void> }> {
    const listener = await startNotificationListener({
      url,
      pooler,
      channel: CHANNEL,
      pollIntervalMs: POLL_INTERVAL_MS,
      health,
      poll: (query, trigger) => this.#poll(query, trigger),
    });
    this.#listener = listener;
    return listener;
  }

  async #poll(query: RunQuery, { kind }: PollTrigger): Promise<void> {
    const now = this.#deps.clock.now().getTime();
    const isClockSetBack = this.#isClockSetBack(now);
    // A new connection may lead to a restored database, whose transaction ids differ.
    const watermark = kind === 'connect' || isClockSetBack ? INITIAL_WATERMARK : this.#watermark;
    const [delta] = await query(REVOCATIONS_SINCE, [watermark, new Date(now - this.#ttlMs)]);
    if (delta === undefined) return;
    this.#watermark = delta.watermark;
    for (const { sessionId, revokedAtMs } of delta.revoked) this.#revoked.add([sessionId], revokedAtMs + this.#ttlMs);
    this.#revoked.evictUntil(now);
    this.#evictedUntilMs = isClockSetBack ? now : Math.max(now, this.#evictedUntilMs);
  }

  /** Whether this process holds all relevant revocations in memory. */
  #isComplete(): boolean {
    const stalenessMs = this.#listener?.stalenessMs() ?? Infinity;
    return stalenessMs <= MAX_STALENESS_MS && !this.#isClockSetBack(this.#deps.clock.now().getTime());
  }

  #isClockSetBack(nowMs: number): boolean {
    return nowMs < this.#evictedUntilMs - CLOCK_TOLERANCE_MS;
  }

  get #ttlMs(): number {
    return revocationTtlMs(this.#deps.accessTokenTtlMs);
  }
}

/** Revoked sessions in memory, each until its last access token has expired. */
export class RevokedSessionCache {
  /** Expiry by session id, in insertion order. */
  readonly #expiresAtMs = new Map<string, number>();

  /** Adds sessions. A session that is present keeps the later of the two expiries. */
  add(sessionIds: readonly string[], expiresAtMs: number): void {
    for (const id of sessionIds) {
      if ((this.#expiresAtMs.get(id) ?? -Infinity) >= expiresAtMs) continue;
      // Deleted first, so that the entry moves to the end of the insertion order.
      this.#expiresAtMs.delete(id);
      this.#expiresAtMs.set(id, expiresAtMs);
    }
  }

  has(sessionId: string): boolean {
    return this.#expiresAtMs.has(sessionId);
  }

  /**
   * Evicts expired sessions, oldest first, and stops at the first that has not expired. After a clock was set back,
   * some entries stay longer than needed.
   */
  evictUntil(nowMs: number): void {
    for (const [id, expiresAtMs] of this.#expiresAtMs) {
      if (expiresAtMs > nowMs) return;
      this.#expiresAtMs.delete(id);
    }
  }
}
