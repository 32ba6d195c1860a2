import { inTransaction, type Database } from '../../database/index.js';
import { recordSessionsRevoked } from '../audit/record-audit-event.js';
import { lockAccount } from '../identity/locked-account.js';
import type { Clock } from '../ports/clock.js';
import type { RevocationRegistry } from '../revocation/revocation-registry.js';
import { revokeLeastRecentlyUsed } from '../revocation/revoke-sessions.js';

export interface EnforceSessionLimitDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly revocations: RevocationRegistry;
}

/**
 * More than a user has devices, and few enough for one response. Bounds the table when a client logs in for each call
 * and never logs out.
 */
export const MAX_SESSIONS_PER_ACCOUNT = 1_000;
/** Fewer than the maximum, so that such a client triggers the enforcement rarely. */
const KEPT_SESSIONS = 900;

/** Revokes the least recently used sessions of an account that has too many. */
export async function enforceSessionLimit(deps: EnforceSessionLimitDeps, userId: string): Promise<void> {
  const now = deps.clock.now();
  const revokedSessionIds = await inTransaction(deps.database, async (em) => {
    // Serializes concurrent logins, so that each counts the sessions of the others.
    const account = await lockAccount(em, userId);
    if (account === null) return [];
    return recordSessionsRevoked(em, userId, await revokeLeastRecentlyUsed(em, account, KEPT_SESSIONS, now), now);
  });
  deps.revocations.publish(revokedSessionIds);
}
