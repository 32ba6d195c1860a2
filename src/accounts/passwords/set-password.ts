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

export interface SetPasswordParams {
  readonly passwordHash: string;
  /** The session that is kept; all others are revoked. */
  readonly exceptSessionId?: string;
  /** The notice that is mailed to the owner. */
  readonly notice: 'notify_password_changed' | 'notify_password_reset';
}

/** Effects to publish after the commit. */
export interface PasswordSetEffects {
  readonly revokedSessionIds: readonly string[];
  readonly enqueuedTaskIds: readonly string[];
}

/**
 * Replaces the password of an account. Revokes its sessions and mailed links: a verification link could verify an
 * address by which the new password is reset. Removes an unverified address: a thief who knew the old password may have
 * set it, and would receive the next link.
 *
 * Enqueues a notice to the verified address.
 *
 * @returns the effects for `publishPasswordSet`
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

/**
 * Publishes the effects, after the commit.
 *
 * @returns the number of revoked sessions
 */
export function publishPasswordSet(
  { revocations, dispatchTasks }: PublishPasswordSetDeps,
  { revokedSessionIds, enqueuedTaskIds }: PasswordSetEffects,
): { revokedSessions: number } {
  revocations.publish(revokedSessionIds);
  dispatchTasks(enqueuedTaskIds);
  return { revokedSessions: revokedSessionIds.length };
}
