import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/index.js';
import { InvitationMailRecord } from './invitation-mail-record.entity.js';
import { Invitation } from './invitation.entity.js';

/** Never resolves (RFC 2606, section 2), so that no mail is delivered. */
const ERASED_DOMAIN = 'deleted.invalid';
const ERASED_EMAIL = `deleted@${ERASED_DOMAIN}`;

/** Address key of the unanswered invitations to the verified address of a deleted account. */
export function erasedAddressKey(userId: string): string {
  return `${userId}@${ERASED_DOMAIN}`;
}

export function isErasedEmail(email: string): boolean {
  return email === ERASED_EMAIL;
}

/**
 * Erases the verified address of an account from invitations and their mails. Unanswered invitations remain without
 * the address until they are removed from the counts of their groups.
 *
 * Does nothing with an unverified address, because it may belong to another person.
 */
export async function eraseAddress(em: EntityManager, { id, emailKey, emailVerifiedAt }: Account): Promise<void> {
  if (emailKey === null || emailVerifiedAt === null) return;
  await em.nativeDelete(Invitation, { emailKey, status: { $in: ['CLAIMED', 'DECLINED', 'REVOKED'] } });
  await em.nativeUpdate(Invitation, { emailKey }, { email: ERASED_EMAIL, emailKey: erasedAddressKey(id) });
  await em.nativeDelete(InvitationMailRecord, { emailKey });
}
