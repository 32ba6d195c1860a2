import { verifyLinkSecret, type Clock, type LinkSecretClaims, type ServerSecret } from '../../accounts/index.js';
import { statement, type Database } from '../../database/index.js';
import { NotFoundError } from '../../errors/index.js';
import { Invitation, isClaimable } from './invitation.entity.js';

/** Data of an invitation for the holder of its link. */
export interface InvitationPreview {
  readonly groupName: string;
  /** The inviter's display name or username; null after the inviter's account was deleted. */
  readonly invitedBy: string | null;
  readonly expiresAt: Date;
}

interface InvitationLinkDeps {
  readonly database: Database;
  readonly clock: Clock;
}

interface PreviewInvitationDeps extends InvitationLinkDeps {
  readonly serverSecret: ServerSecret;
}

const PREVIEW = statement<InvitationPreview>(
  'invitation_preview',
  `
  select g.name as "groupName", coalesce(a.display_name, a.username) as "invitedBy", i.expires_at as "expiresAt"
  from invitation i join groups g on g.id = i.group_id
  left join account a on a.id = i.invited_by_id and a.deleted_at is null
  where i.id = $1 and i.issue = $2 and i.status = 'OPEN' and i.expires_at > $3`,
);

/**
 * Previews the invitation of a mailed link. Changes nothing, so that mail scanners and link previews have no effect.
 *
 * @throws NotFoundError `INVITATION_NOT_FOUND` when it was claimed, declined, replaced or revoked, or has expired
 */
export async function previewInvitation(deps: PreviewInvitationDeps, secret: string): Promise<InvitationPreview> {
  const claims = verifyLinkSecret(deps.serverSecret, 'invitation', secret);
  const [preview] =
    claims === null ? [] : await deps.database.query(PREVIEW, [claims.id, claims.version, deps.clock.now()]);
  if (preview === undefined) throw new NotFoundError('INVITATION_NOT_FOUND');
  return preview;
}

/** Whether the invitation of a mailed link can be claimed. */
export async function isOpenInvitation(
  { database, clock }: InvitationLinkDeps,
  { id, version }: LinkSecretClaims,
): Promise<boolean> {
  const invitation = await database.fork().findOne(Invitation, { id, issue: version });
  return invitation !== null && isClaimable(invitation, clock.now());
}
