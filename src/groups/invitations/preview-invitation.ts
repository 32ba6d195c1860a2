import { verifyLinkSecret } from '../../accounts/index.js';
import { statement } from '../../database/index.js';
import { NotFoundError } from '../../errors/index.js';
import type { GroupsDeps } from '../deps.js';

/** What whoever holds the link is told before they decide. */
export interface InvitationPreview {
  readonly groupName: string;
  /** The inviter's display name or username; null once their account is gone. */
  readonly invitedBy: string | null;
  readonly expiresAt: Date;
}

const PREVIEW = statement<InvitationPreview>(
  'invitation_preview',
  `
  select g.name as "groupName", coalesce(a.display_name, a.username) as "invitedBy", i.expires_at as "expiresAt"
  from invitation i join groups g on g.id = i.group_id left join account a on a.id = i.invited_by_id and a.deleted_at is null
  where i.id = $1 and i.issue = $2 and i.status = 'OPEN' and i.expires_at > $3`,
);

/**
 * Shows what a mailed link is about. It changes nothing, so that mail scanners and previews do no harm.
 *
 * @throws NotFoundError `INVITATION_NOT_FOUND` when it was used, replaced or revoked, or has expired
 */
export async function previewInvitation(
  deps: Pick<GroupsDeps, 'database' | 'clock' | 'serverSecret'>,
  secret: string,
): Promise<InvitationPreview> {
  const named = verifyLinkSecret(deps.serverSecret, 'invitation', secret);
  const [preview] =
    named === null ? [] : await deps.database.query(PREVIEW, [named.id, named.version, deps.clock.now()]);
  if (preview === undefined) throw new NotFoundError('INVITATION_NOT_FOUND');
  return preview;
}
