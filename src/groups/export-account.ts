import { type Actor, readAccountRecords, readSections, requireSelf, type Sections } from '../accounts/index.js';
import { statement } from '../database/index.js';
import type { GroupsDeps } from './deps.js';

const VERIFIED_KEY = '(select email_key from account where id = $1 and email_verified_at is not null)';
const INVITATION = `
    select i.id, i.group_id as "groupId", g.name as "groupName", i.email, i.status, i.created_at as "createdAt", i.expires_at as "expiresAt"
    from invitation i join groups g on g.id = i.group_id`;

/** All that groups keep about an account. */
const SECTIONS: Sections = {
  memberships: statement('records_memberships', `
    select m.group_id as "groupId", g.name as "groupName", m.role, m.status, m.invited_by_id as "invitedById", m.invited_at as "invitedAt",
      m.responded_at as "respondedAt", m.revision
    from member m join groups g on g.id = m.group_id where m.user_id = $1 order by m.invited_at, m.group_id`),
  peopleInvited: statement('records_people_invited', `
    select group_id as "groupId", user_id as "userId", invited_at as "invitedAt" from member where invited_by_id = $1 order by invited_at, user_id`),
  invitationsSent: statement('records_invitations_sent', `${INVITATION} where i.invited_by_id = $1 order by i.created_at, i.id`),
  invitationsReceived: statement('records_invitations_received', `${INVITATION} where i.email_key = ${VERIFIED_KEY} order by i.created_at, i.id`),
  invitationMails: statement('records_invitation_mails', `
    select coalesce(inviter_id = $1, false) as "sentByYou", email_key as "to", at
    from invitation_mail where inviter_id = $1 or email_key = ${VERIFIED_KEY} order by at, task_id`),
  changes: statement('records_changes', `
    select group_id as "groupId", revision, cause, coalesce(actor_id = $1, false) as "madeByYou", coalesce(subject_id = $1, false) as "aboutYou",
      status, at
    from group_change where actor_id = $1 or subject_id = $1 order by at, group_id, revision`),
};

/**
 * Everything that is held about the caller's account, as one JSON document: no hash, and no secret that could be used.
 *
 * @throws UnauthenticatedError when nobody is signed in, or somebody else
 */
export async function exportAccount({ database, clock }: Pick<GroupsDeps, 'database' | 'clock'>, actor: Actor, userId: string): Promise<unknown> {
  requireSelf(actor, userId);
  const exportedAt = clock.now();
  const account = await readAccountRecords(database, userId);
  const groups = await readSections(database, SECTIONS, [userId]);
  return plain({ exportedAt, account, groups });
}

/** As JSON has it: times are text. */
function plain(document: object): unknown {
  return JSON.parse(JSON.stringify(document));
}
