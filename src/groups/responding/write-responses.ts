import { statement, type Statement } from '../../database/index.js';
import type { MemberView } from '../model/group-view.js';
import { copyCounts } from '../model/response-counts.js';
import { insertChangesSql, revisionColumns } from '../transaction/insert-changes-sql.js';
import type { ResponseChanges } from './decide-responses.js';

/**
 * Stores the changes of each group completely, or not at all when the group has another revision than was read or a
 * concurrent writer has its row lock. Returns the ids of the groups that are stored.
 *
 * The statement waits for no group, so that a long writer of one does not delay the others, and two processes that
 * write the same groups cannot deadlock.
 *
 * Groups are found by `$2`, and members by `on conflict`. A join with the records would leave it to the planner, which
 * may read whole tables. The inserted members are never stored, since all exist.
 */
export const WRITE_RESPONSES: Statement<{ readonly id: string }> = statement(
  'write_responses',
  `
  with requested as (
    select * from json_to_recordset($1::json) as r (id uuid, "expectedRevision" integer, "requiredAtDeadline" integer,
      state text, "stateChangedAt" timestamptz, revision integer, "answersRevision" integer, pending integer,
      accepted integer, tentative integer, declined integer, "openInvitations" integer, "lapsedInvitations" integer)
  ), unchanged as (
    select g.id from groups g join requested r on r.id = g.id and r."expectedRevision" = g.revision
    where g.id = any($2::uuid[])
    for update of g skip locked
  ), changed_groups as (
    update groups g set required_at_deadline = r."requiredAtDeadline", state = r.state,
      state_changed_at = r."stateChangedAt", revision = r.revision, answers_revision = r."answersRevision",
      pending_count = r.pending, accepted_count = r.accepted, tentative_count = r.tentative,
      declined_count = r.declined, open_invitations = r."openInvitations", lapsed_invitations = r."lapsedInvitations"
    from unchanged u join requested r on r.id = u.id
    where g.id = u.id and g.id = any($2::uuid[])
    returning g.id
  ), changed_members as (
    insert into member (group_id, user_id, role, status, invited_at, responded_at, revision)
    select m.* from changed_groups g join json_to_recordset($3::json) as m (
      "groupId" uuid, "userId" uuid, role text, status text, "invitedAt" timestamptz, "respondedAt" timestamptz,
      revision integer) on m."groupId" = g.id
    on conflict (group_id, user_id) do update
      set status = excluded.status, responded_at = excluded.responded_at, revision = excluded.revision
  ), claimed_invitations as (
    update invitation set status = 'CLAIMED'
    where id = any($4::uuid[]) and group_id = any(array(select id from changed_groups))
  ), recorded_changes as (${insertChangesSql('changed_groups', '$5')}
  )
  select id from changed_groups`,
);

/** The parameters of `WRITE_RESPONSES`. */
export function responseValues(changes: readonly ResponseChanges[]): readonly unknown[] {
  return [
    JSON.stringify(changes.map(groupColumns)),
    changes.map(({ group }) => group.id),
    JSON.stringify(changes.flatMap(({ members }) => members.map(memberColumns))),
    changes.flatMap(({ claimedInvitationIds }) => claimedInvitationIds),
    JSON.stringify(changes.flatMap(({ revisions }) => revisions.map(revisionColumns))),
  ];
}

function groupColumns({ group, expectedRevision }: ResponseChanges): object {
  const { id, requiredAtDeadline, state, stateChangedAt, revision, answersRevision, counts } = group;
  const columns = { id, expectedRevision, requiredAtDeadline, state, stateChangedAt, revision, answersRevision };
  return { ...columns, ...copyCounts(counts) };
}

function memberColumns({ groupId, userId, role, status, invitedAt, respondedAt, revision }: MemberView): object {
  return { groupId, userId, role, status, invitedAt, respondedAt, revision };
}
