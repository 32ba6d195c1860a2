import type { Database } from '../../database/index.js';
import { pruneIdempotentRequests } from '../idempotency/idempotency.js';
import { pruneLimits } from '../limits/prune-limits.js';
import type { Clock } from '../ports.js';
import { revocationKeptMs } from './revocations.js';

export interface PruneDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly accessTokenTtlMs: number;
}

const PRUNE_EVERY_MS = 60_000;
/** Spreads the work of many processes. */
const PRUNE_SPREAD_MS = 30_000;
/** Bounds what one statement locks; the rest is for the next time. */
const MOST_ROWS = 10_000;

const EXPIRED_SESSIONS = `delete from session where id in (
  select id from session where expires_at <= $1 order by expires_at limit ${MOST_ROWS} for update skip locked)`;
const OLD_REVOCATIONS = `delete from session_revocation where session_id in (
  select session_id from session_revocation where revoked_at <= $1 order by revoked_at limit ${MOST_ROWS} for update skip locked)`;

/** Erases sessions that have expired and revocations that no token can meet any more. */
export async function pruneSessions({ database, clock, accessTokenTtlMs }: PruneDeps): Promise<void> {
  const before = new Date(clock.now().getTime() - revocationKeptMs(accessTokenTtlMs));
  await database.pool.query(EXPIRED_SESSIONS, [before]);
  await database.pool.query(OLD_REVOCATIONS, [before]);
}

/** Prunes about once a minute. @param onError hears of every failure; the next round tries again */
export function startPruning(deps: PruneDeps, onError: (error: unknown) => void): { stop(): Promise<void> } {
  let latest = Promise.resolve();
  const timer = setInterval(() => {
    latest = pruneSessions(deps).then(() => pruneLimits(deps)).then(() => pruneIdempotentRequests(deps)).catch(onError);
  }, PRUNE_EVERY_MS + Math.random() * PRUNE_SPREAD_MS).unref();
  return {
    // Waits for a round under way, so that the database can be closed next.
    async stop() {
      clearInterval(timer);
      await latest;
    },
  };
}
