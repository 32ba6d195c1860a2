import type { EntityManager } from '@mikro-orm/postgresql';
import { clearEmail, hasUnverifiedEmail } from '../identity/account-email.js';
import type { LockedAccount } from '../identity/locked-account.js';
import { revokeMailedLinks } from '../mailed-links/revoke-mailed-links.js';
import type { DispatchTasks } from '../ports/dispatch-tasks.js';
import type { RevocationRegistry } from '../revocation/revocation-registry.js';
import { revokeSessions } from '../revocation/revoke-sessions.js';
import { enqueueSecurityNotice } from '../security-notices/enqueue-security-notice.js';

export interface PublishPasswordSetDeps {
  readonly revocations: RevocationRegistry;
  readonly dispatchTasks: DispatchTasks;
}

/** Who sets a password, and what stays of their sessions. */
export interface SetPasswordParams {
  readonly passwordHash: string;
  /** The session that stays; every other one ends. */
  readonly exceptSessionId?: string;
  /** What its owner is told of it. */
  readonly notice: 'notify_password_changed' | 'notify_password_reset';
}

/** What is left to do after the commit. */
export interface PasswordSetEffects {
  readonly revokedSessionIds: readonly string[];
  readonly enqueuedTaskIds: readonly string[];
}

/**
 * Gives an account another password. Ends everything that the old one was good for: sessions, reset links, and links
 * that prove an address, with which the new password could be reset. Removes an unverified address: a thief with the old
 * password may have given it to an account that had none, and the next link would be mailed to the thief.
 *
 * Its owner is told, at the address that is verified.
 *
 * @returns what `publishPasswordSet` takes
 */
export async function setPassword(
  em: EntityManager,
  account: LockedAccount,
  { passwordHash, exceptSessionId, notice }: SetPasswordParams,
  now: Date,
): Promise<PasswordSetEffects> {
  account.passwordHash = passwordHash;
  await revokeMailedLinks(em, account);
  if (hasUnverifiedEmail(account)) clearEmail(account);
  return {
    revokedSessionIds: await revokeSessions(em, { account, exceptSessionId }, now),
    enqueuedTaskIds: await enqueueSecurityNotice(em, account, notice, now),
  };
}

/** Tells everybody, once it is committed. @returns how many sessions ended */
export function publishPasswordSet(
  { revocations, dispatchTasks }: PublishPasswordSetDeps,
  { revokedSessionIds, enqueuedTaskIds }: PasswordSetEffects,
): { revokedSessions: number } {
  revocations.publish(revokedSessionIds);
  dispatchTasks(enqueuedTaskIds);
  return { revokedSessions: revokedSessionIds.length };
}
