import { deriveLinkSecret, type Clock, type Mailer, type ServerSecret } from '../../accounts/index.js';
import { statement, type Database } from '../../database/index.js';
import { isErasedEmail } from '../invitations/erased-address.js';
import { buildInvitationMail } from './invitation-mail.js';

interface SendInvitationMailDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly serverSecret: ServerSecret;
  /** Base URL of the pages behind mailed links, without a trailing slash. */
  readonly frontendUrl: string;
}

interface OpenInvitation {
  readonly email: string;
  readonly groupName: string;
  readonly invitedBy: string | null;
  readonly expiresAt: Date;
}

const OPEN_INVITATION = statement<OpenInvitation>(
  'open_invitation',
  `
  select i.email, g.name as "groupName", coalesce(a.display_name, a.username) as "invitedBy",
    i.expires_at as "expiresAt"
  from invitation i join groups g on g.id = i.group_id
  left join account a on a.id = i.invited_by_id and a.deleted_at is null
  where i.id = $1 and i.issue = $2 and i.status = 'OPEN' and i.expires_at > $3`,
);

interface InvitationMailTask {
  readonly invitationId: string;
  readonly issue: number;
  readonly mailId: string;
}

/**
 * Mails the link of an invitation to its address.
 *
 * @returns `SKIPPED` when the invitation was answered, renewed or revoked, has expired, or its address was erased
 */
export async function sendInvitationMail(
  deps: SendInvitationMailDeps,
  { invitationId, issue, mailId }: InvitationMailTask,
): Promise<'DONE' | 'SKIPPED'> {
  const [open] = await deps.database.query(OPEN_INVITATION, [invitationId, issue, deps.clock.now()]);
  if (open === undefined || isErasedEmail(open.email)) return 'SKIPPED';
  const secret = deriveLinkSecret(deps.serverSecret, 'invitation', { id: invitationId, version: issue });
  await deps.mailer.send(
    buildInvitationMail({
      id: mailId,
      to: open.email,
      groupName: open.groupName,
      invitedBy: open.invitedBy,
      expiresAt: open.expiresAt,
      link: `${deps.frontendUrl}/invitation#secret=${secret}`,
    }),
  );
  return 'DONE';
}
