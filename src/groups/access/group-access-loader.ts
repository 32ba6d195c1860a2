import { createBatchLoader, statement, type BatchLoader, type Database } from '../../database/index.js';
import { groupFromRow } from '../model/group-row.js';
import type { MemberView, StoredGroup } from '../model/group-view.js';
import { MEMBERSHIP_COLUMNS, membershipFromRow, type MembershipRow } from '../model/membership-row.js';
import type { StoredScore } from '../model/score-view.js';

interface GroupAccessKey {
  readonly groupId: string;
  /** Null for an API client. */
  readonly callerId: string | null;
}

/** A group with the facts that decide on the caller's access. */
interface GroupAccess extends GroupAccessKey {
  readonly group: StoredGroup;
  /** The caller's membership; null for a non-member. */
  readonly membership: MemberView | null;
  readonly callerIsAdmin: boolean;
  /** The current score; null when the group was never scored. */
  readonly score: StoredScore | null;
}

export interface GroupAccessLoaders {
  /** Loads null when the group does not exist. */
  readonly groupAccess: BatchLoader<GroupAccessKey, GroupAccess>;
}

interface GroupAccessRow extends MembershipRow {
  readonly callerId: string | null;
  readonly callerIsAdmin: boolean;
  /** Null, like all that follow, when the group was never scored. */
  readonly sequence: number | null;
  readonly value: number;
  readonly source: string;
  readonly scoredAt: Date;
  readonly scoredAnswersRevision: number;
}

/** `offset 0` keeps the planner from reading all groups, or all memberships of the caller. */
const GROUP_ACCESS = statement<GroupAccessRow>(
  'group_access',
  `
  select ${MEMBERSHIP_COLUMNS}, key.caller_id as "callerId",
    coalesce(a.disabled_at is null and 'ADMIN' = any(a.roles), false) as "callerIsAdmin",
    s.sequence, s.value, s.source, s.scored_at as "scoredAt", s.answers_revision as "scoredAnswersRevision"
  from unnest($1::uuid[], $2::uuid[]) as key (group_id, caller_id)
  cross join lateral (select * from groups where id = key.group_id offset 0) g
  left join account a on a.id = key.caller_id
  left join lateral (select * from member where group_id = g.id and user_id = a.id offset 0) m on true
  left join lateral (
    select * from compatibility_score where group_id = g.id order by sequence desc limit 1
  ) s on true`,
);

export function createGroupAccessLoader(database: Database): BatchLoader<GroupAccessKey, GroupAccess> {
  return createBatchLoader(
    async (keys: readonly GroupAccessKey[]) => {
      const groupIds = keys.map(({ groupId }) => groupId);
      const callerIds = keys.map(({ callerId }) => callerId);
      return (await database.query(GROUP_ACCESS, [groupIds, callerIds])).map(groupAccessFromRow);
    },
    toCacheKey,
    toCacheKey,
  );
}

function toCacheKey({ groupId, callerId }: GroupAccessKey): string {
  return `${groupId} ${callerId}`;
}

function groupAccessFromRow(row: GroupAccessRow): GroupAccess {
  return {
    groupId: row.id,
    callerId: row.callerId,
    callerIsAdmin: row.callerIsAdmin,
    group: groupFromRow(row),
    membership: membershipFromRow(row),
    score: scoreFromRow(row),
  };
}

function scoreFromRow(row: GroupAccessRow): StoredScore | null {
  const { sequence, value, source, scoredAt, scoredAnswersRevision: answersRevision } = row;
  return sequence === null ? null : { sequence, value, source, scoredAt, answersRevision };
}
