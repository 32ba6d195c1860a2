import { batchedRead, type BatchedRead, type Database, statement } from '../../database/index.js';
import type { StoredGroup } from '../group-view.js';
import type { MemberView } from '../member-view.js';
import type { GroupRole } from '../member.entity.js';
import type { Counts, ResponseStatus } from '../response-counts.js';
import type { StoredScore } from '../score-view.js';

/** A caller who looks at a group; a program has no place in any group and is no account: null. */
export interface GroupSight {
  readonly groupId: string;
  readonly callerId: string | null;
}

/** Everything that deciding about a look at a group takes, and what is most often asked of it. */
export interface SeenGroup extends GroupSight {
  readonly group: StoredGroup;
  readonly membership: MemberView | null;
  readonly callerIsAdmin: boolean;
  readonly score: StoredScore | null;
}

interface SeenGroupRow extends Omit<StoredGroup, 'counts'>, Counts {
  readonly callerId: string | null;
  readonly callerIsAdmin: boolean;
  readonly username: string;
  readonly displayName: string | null;
  readonly registeredAt: Date;
  /** Null, like all that follow, when the caller is no member. */
  readonly role: GroupRole | null;
  readonly status: ResponseStatus;
  readonly invitedById: string | null;
  readonly invitedAt: Date;
  readonly respondedAt: Date | null;
  readonly memberRevision: number;
  /** Null, like all that follow, when the group was never scored. */
  readonly value: number | null;
  readonly source: string;
  readonly scoredAt: Date;
  readonly scoredAnswersRevision: number;
}

const GROUPS_SEEN_BY = statement<SeenGroupRow>('groups_seen_by', `
  select g.id, g.name, g.description, g.quorum, g.respond_by as "respondBy", g.required_at_deadline as "requiredAtDeadline",
    g.cancelled_at as "cancelledAt", g.state, g.state_changed_at as "stateChangedAt", g.created_at as "createdAt",
    g.revision, g.answers_revision as "answersRevision", g.pending_count as pending, g.accepted_count as accepted,
    g.tentative_count as tentative, g.declined_count as declined, g.open_invitations as "openInvitations",
    g.lapsed_invitations as "lapsedInvitations", sight.caller_id as "callerId",
    coalesce(a.disabled_at is null and 'ADMIN' = any(a.roles), false) as "callerIsAdmin",
    a.username, a.display_name as "displayName", a.created_at as "registeredAt",
    m.role, m.status, m.invited_by_id as "invitedById", m.invited_at as "invitedAt", m.responded_at as "respondedAt",
    m.revision as "memberRevision",
    s.value, s.source, s.scored_at as "scoredAt", s.answers_revision as "scoredAnswersRevision"
  from unnest($1::uuid[], $2::uuid[]) as sight (group_id, caller_id)
  join groups g on g.id = sight.group_id
  left join account a on a.id = sight.caller_id
  left join member m on m.group_id = g.id and m.user_id = a.id
  left join lateral (
    select * from compatibility_score where group_id = g.id order by sequence desc limit 1
  ) s on true`);

/** One statement for all looks of a turn, and one row for each: the caller is part of its key. */
export function groupSeenBy(database: Database): BatchedRead<GroupSight, SeenGroup> {
  return batchedRead(
    async (sights: readonly GroupSight[]) => {
      const groupIds = sights.map(({ groupId }) => groupId);
      const callerIds = sights.map(({ callerId }) => callerId);
      return (await database.read(GROUPS_SEEN_BY, [groupIds, callerIds])).map(seenGroup);
    },
    sightText,
    sightText,
  );
}

function sightText({ groupId, callerId }: GroupSight): string {
  return `${groupId} ${callerId}`;
}

function seenGroup(row: SeenGroupRow): SeenGroup {
  return {
    groupId: row.id,
    callerId: row.callerId,
    callerIsAdmin: row.callerIsAdmin,
    group: storedGroup(row),
    membership: membership(row),
    score: score(row),
  };
}

function storedGroup(row: SeenGroupRow): StoredGroup {
  const { id, name, description, quorum, respondBy, requiredAtDeadline, cancelledAt, state, stateChangedAt, createdAt } = row;
  const { revision, answersRevision, pending, accepted, tentative, declined, openInvitations, lapsedInvitations } = row;
  const counts = { pending, accepted, tentative, declined, openInvitations, lapsedInvitations };
  const rule = { quorum, respondBy, requiredAtDeadline, cancelledAt };
  return { id, name, description, ...rule, state, stateChangedAt, createdAt, revision, answersRevision, counts };
}

function membership(row: SeenGroupRow): MemberView | null {
  const { callerId: userId, role, status, invitedById, invitedAt, respondedAt, username, displayName } = row;
  if (userId === null || role === null) return null;
  const user = { id: userId, username, displayName, createdAt: row.registeredAt };
  return { groupId: row.id, userId, role, status, invitedById, invitedAt, respondedAt, revision: row.memberRevision, user };
}

function score({ value, source, scoredAt, scoredAnswersRevision }: SeenGroupRow): StoredScore | null {
  return value === null ? null : { value, source, scoredAt, answersRevision: scoredAnswersRevision };
}
