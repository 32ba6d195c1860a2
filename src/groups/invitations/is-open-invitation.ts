import type { Clock, LinkSecretClaims } from '../../accounts/index.js';
import type { Database } from '../../database/index.js';
import { Invitation, isClaimable } from './invitation.entity.js';

/** Whether the link that was mailed can still be claimed. */
export async function isOpenInvitation(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  { id, version: issue }: LinkSecretClaims,
): Promise<boolean> {
  const invitation = await database.fork().findOne(Invitation, { id, issue });
  return invitation !== null && isClaimable(invitation, clock.now());
}
