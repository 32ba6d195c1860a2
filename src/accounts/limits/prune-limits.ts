import type { Database } from '../../database/index.js';
import type { Clock } from '../ports.js';

const DAY_MS = 86_400_000;
/** A network from which nobody has logged in for so long is a stranger's again. */
const KNOWN_FOR_MS = 90 * DAY_MS;

const ENDED_COUNTERS = 'delete from rate_limit where expire < extract(epoch from now()) * 1000';
const OLD_NETWORKS = 'delete from known_address where last_login_at < $1';
const EXPIRED_RESETS = 'delete from password_reset where expires_at < $1';

/** Erases counters whose window is over, networks that were not used for three months, and links that have expired. */
export async function pruneLimits({ database, clock }: { readonly database: Database; readonly clock: Clock }): Promise<void> {
  const now = clock.now();
  await database.pool.query(ENDED_COUNTERS);
  await database.pool.query(OLD_NETWORKS, [new Date(now.getTime() - KNOWN_FOR_MS)]);
  await database.pool.query(EXPIRED_RESETS, [now]);
}
