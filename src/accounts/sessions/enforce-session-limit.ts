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
 * More than anybody has devices, and few enough to be listed at once: a program that logs in anew for each call, and never
 * logs out, fills no table.
 */
export const MAX_SESSIONS_PER_ACCOUNT = 1_000;
/** Room is made for many at once, so that such a program's logins pay for it rarely. */
const KEPT_SESSIONS = 900;

/** Ends, in an account that has too many sessions, those that were used least recently. */
export async function enforceSessionLimit(deps: EnforceSessionLimitDeps, userId: string): Promise<void> {
  const now = deps.clock.now();
  const revokedSessionIds = await inTransaction(deps.database, async (em) => {
    // So that of logins at the same moment each counts the others.
    const account = await lockAccount(em, userId);
    if (account === null) return [];
    return recordSessionsRevoked(em, userId, await revokeLeastRecentlyUsed(em, account, KEPT_SESSIONS, now), now);
  });
  deps.revocations.publish(revokedSessionIds);
}
