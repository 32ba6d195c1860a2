import { createBatchLoader, statement, type BatchLoader, type Database } from '../../database/index.js';
import type { StoredGroup } from '../model/group-view.js';
import type { MemberView } from '../model/member-view.js';
import type { StoredScore } from '../model/score-view.js';
import { groupFromRow } from './group-row.js';
import { MEMBERSHIP_COLUMNS, membershipFromRow, type MembershipRow } from './membership-row.js';

/** A caller who looks at a group; a program has no place in any group and is no account: null. */
export interface GroupAccessKey {
  readonly groupId: string;
  readonly callerId: string | null;
}

/** Everything that deciding about a look at a group takes, and what is most often asked of it. */
export interface GroupAccess extends GroupAccessKey {
  readonly group: StoredGroup;
  readonly membership: MemberView | null;
  readonly callerIsAdmin: boolean;
  readonly score: StoredScore | null;
}

interface SeenGroupRow extends MembershipRow {
  readonly callerId: string | null;
  readonly callerIsAdmin: boolean;
  /** Null, like all that follow, when the group was never scored. */
  readonly value: number | null;
  readonly source: string;
  readonly scoredAt: Date;
  readonly scoredAnswersRevision: number;
}

const GROUPS_SEEN_BY = statement<SeenGroupRow>(
  'groups_seen_by',
  `
  select ${MEMBERSHIP_COLUMNS}, sight.caller_id as "callerId",
    coalesce(a.disabled_at is null and 'ADMIN' = any(a.roles), false) as "callerIsAdmin",
    s.value, s.source, s.scored_at as "scoredAt", s.answers_revision as "scoredAnswersRevision"
  from unnest($1::uuid[], $2::uuid[]) as sight (group_id, caller_id)
  join groups g on g.id = sight.group_id
  left join account a on a.id = sight.caller_id
  left join member m on m.group_id = g.id and m.user_id = a.id
  left join lateral (
    select * from compatibility_score where group_id = g.id order by sequence desc limit 1
  ) s on true`,
);

/** One statement for all looks of a turn, and one row for each: the caller is part of its key. */
export function createGroupAccessLoader(database: Database): BatchLoader<GroupAccessKey, GroupAccess> {
  return createBatchLoader(
    async (sights: readonly GroupAccessKey[]) => {
      const groupIds = sights.map(({ groupId }) => groupId);
      const callerIds = sights.map(({ callerId }) => callerId);
      return (await database.query(GROUPS_SEEN_BY, [groupIds, callerIds])).map(seenGroup);
    },
    toCacheKey,
    toCacheKey,
  );
}

function toCacheKey({ groupId, callerId }: GroupAccessKey): string {
  return `${groupId} ${callerId}`;
}

function seenGroup(row: SeenGroupRow): GroupAccess {
  return {
    groupId: row.id,
    callerId: row.callerId,
    callerIsAdmin: row.callerIsAdmin,
    group: groupFromRow(row),
    membership: membershipFromRow(row),
    score: score(row),
  };
}

function score({ value, source, scoredAt, scoredAnswersRevision }: SeenGroupRow): StoredScore | null {
  return value === null ? null : { value, source, scoredAt, answersRevision: scoredAnswersRevision };
}
