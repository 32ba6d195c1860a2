import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/index.js';
import { Invitation } from '../invitations/invitation.entity.js';
import { InvitationMailRecord } from '../inviting/invitation-mail-record.entity.js';

/** A name that never resolves (RFC 2606, section 2), so that nothing can be sent there. */
const ERASED_DOMAIN = 'deleted.invalid';
const ERASED_EMAIL = `deleted@${ERASED_DOMAIN}`;

/** Stands, until they are taken back, in the unanswered invitations to the verified address of a deleted account. */
export function erasedAddressKey(userId: string): string {
  return `${userId}@${ERASED_DOMAIN}`;
}

export function isErasedEmail(email: string): boolean {
  return email === ERASED_EMAIL;
}

/**
 * Erases the verified address of an account from invitations and their mails. Unanswered invitations remain, without the address,
 * until their groups no longer count them. An unverified address may be somebody else's and is left alone.
 */
export async function eraseAddress(em: EntityManager, { id, emailKey, emailVerifiedAt }: Account): Promise<void> {
  if (emailKey === null || emailVerifiedAt === null) return;
  await em.nativeDelete(Invitation, { emailKey, status: { $in: ['CLAIMED', 'DECLINED', 'REVOKED'] } });
  await em.nativeUpdate(Invitation, { emailKey }, { email: ERASED_EMAIL, emailKey: erasedAddressKey(id) });
  await em.nativeDelete(InvitationMailRecord, { emailKey });
}
