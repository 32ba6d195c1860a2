import { pickProperties, statement, type Statement } from '../../database/index.js';
import type { MemberView } from '../model/group-view.js';
import { COUNT_FIELDS } from '../model/response-counts.js';
import type { NewGroupChange } from '../transaction/group-ledger.js';
import type { ResponseChanges } from './decide-responses.js';

/**
 * Stores everything, or nothing when the group has another revision than `$2`. A concurrent writer of the group holds
 * its row lock: the update waits for that writer's commit, and then compares the revision again.
 *
 * Members are updated by `on conflict`, so that each is found by its primary key. A join would leave it to the planner,
 * which may read all members of a large group. The inserted values are never stored, since all members exist.
 */
export const WRITE_RESPONSES: Statement<{ readonly revision: number }> = statement(
  'write_responses',
  `
  with changed_group as (
    update groups set required_at_deadline = $3, state = $4, state_changed_at = $5, revision = $6,
      answers_revision = $7, pending_count = $8, accepted_count = $9, tentative_count = $10,
      declined_count = $11, open_invitations = $12, lapsed_invitations = $13
    where id = $1 and revision = $2
    returning id
  ), changed_members as (
    insert into member (group_id, user_id, role, status, invited_at, responded_at, revision)
    select g.id, m.* from changed_group g cross join json_to_recordset($14::json) as m (
      "userId" uuid, role text, status text, "invitedAt" timestamptz, "respondedAt" timestamptz, revision integer)
    on conflict (group_id, user_id) do update
      set status = excluded.status, responded_at = excluded.responded_at, revision = excluded.revision
  ), claimed_invitations as (
    update invitation set status = 'CLAIMED'
    where id = any($15::uuid[]) and exists (select from changed_group)
  )
  insert into group_change (group_id, revision, cause, actor_id, api_key, subject_id, status, state_before, state_after,
    at, pending_count, accepted_count, tentative_count, declined_count, open_invitations, lapsed_invitations)
  select g.id, c.* from changed_group g cross join json_to_recordset($16::json) as c (
    revision integer, cause text, "actorId" uuid, "apiKey" text, "subjectId" uuid, status text, "stateBefore" text,
    "stateAfter" text, at timestamptz, pending integer, accepted integer, tentative integer, declined integer,
    "openInvitations" integer, "lapsedInvitations" integer)
  returning revision`,
);

/** The parameters of `WRITE_RESPONSES`. */
export function responseValues(changes: ResponseChanges): readonly unknown[] {
  const { expectedRevision, group, members, claimedInvitationIds, revisions } = changes;
  const { counts } = group;
  return [
    group.id,
    expectedRevision,
    group.requiredAtDeadline,
    group.state,
    group.stateChangedAt,
    group.revision,
    group.answersRevision,
    counts.pending,
    counts.accepted,
    counts.tentative,
    counts.declined,
    counts.openInvitations,
    counts.lapsedInvitations,
    JSON.stringify(members.map(memberColumns)),
    claimedInvitationIds,
    JSON.stringify(revisions.map(revisionColumns)),
  ];
}

function memberColumns({ userId, role, status, invitedAt, respondedAt, revision }: MemberView): object {
  return { userId, role, status, invitedAt, respondedAt, revision };
}

function revisionColumns({ counts, ...revision }: NewGroupChange): object {
  return { ...revision, ...pickProperties(counts, COUNT_FIELDS) };
}
