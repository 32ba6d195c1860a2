import { createBatchLoader, statement, type BatchLoader, type Database } from '../../database/index.js';
import { groupFromRow } from '../model/group-row.js';
import type { MemberView, StoredGroup } from '../model/group-view.js';
import { DIRECTORY_VERSION, membersVersion } from '../model/members-version.js';
import { MEMBERSHIP_COLUMNS, membershipFromRow, type MembershipRow } from '../model/membership-row.js';
import { CURRENT_SCORE } from '../model/score-row.js';
import type { StoredScore } from '../model/score-view.js';
import { accessKeyText, type GroupAccessKey } from './group-access-loader.js';

/** A group with what else is known of it and of the caller. */
interface GroupDetails extends GroupAccessKey {
  readonly group: StoredGroup;
  /** The caller's membership; null for a non-member. */
  readonly membership: MemberView | null;
  readonly callerIsAdmin: boolean;
  /** See `membersVersion`. */
  readonly membersVersion: string | null;
  /** The current score; null when the group was never scored. */
  readonly score: StoredScore | null;
}

export interface GroupDetailsLoaders {
  /** Loads null when the group does not exist. */
  readonly groupDetails: BatchLoader<GroupAccessKey, GroupDetails>;
}

interface GroupDetailsRow extends MembershipRow {
  readonly callerId: string | null;
  readonly callerIsAdmin: boolean;
  readonly directoryVersion: number | null;
  /** Null, like the other columns of the score, when the group was never scored. */
  readonly sequence: number | null;
  readonly value: number;
  readonly source: string;
  readonly scoredAt: Date;
  readonly scoredAnswersRevision: number;
}

/** `offset 0` keeps the planner from reading all groups, or all memberships of the caller. */
const GROUP_DETAILS = statement<GroupDetailsRow>(
  'group_details',
  `
  select ${MEMBERSHIP_COLUMNS}, key.caller_id as "callerId",
    coalesce(a.disabled_at is null and 'ADMIN' = any(a.roles), false) as "callerIsAdmin", ${DIRECTORY_VERSION},
    s.sequence, s.value, s.source, s.scored_at as "scoredAt", s.answers_revision as "scoredAnswersRevision"
  from unnest($1::uuid[], $2::uuid[]) as key (group_id, caller_id)
  cross join lateral (select * from groups where id = key.group_id offset 0) g
  left join account a on a.id = key.caller_id
  left join lateral (select * from member where group_id = g.id and user_id = a.id offset 0) m on true
  ${CURRENT_SCORE}`,
);

export function createGroupDetailsLoader(database: Database): GroupDetailsLoaders['groupDetails'] {
  return createBatchLoader(
    async (keys: readonly GroupAccessKey[]) => {
      const [groupIds, callerIds] = [keys.map(({ groupId }) => groupId), keys.map(({ callerId }) => callerId)];
      return (await database.query(GROUP_DETAILS, [groupIds, callerIds])).map(detailsFromRow);
    },
    accessKeyText,
    accessKeyText,
  );
}

function detailsFromRow(row: GroupDetailsRow): GroupDetails {
  const group = groupFromRow(row);
  return {
    groupId: row.id,
    callerId: row.callerId,
    callerIsAdmin: row.callerIsAdmin,
    membersVersion: membersVersion(group, row.directoryVersion),
    group,
    membership: membershipFromRow(row),
    score: scoreFromRow(row),
  };
}

function scoreFromRow(row: GroupDetailsRow): StoredScore | null {
  const { sequence, value, source, scoredAt, scoredAnswersRevision: answersRevision } = row;
  return sequence === null ? null : { sequence, value, source, scoredAt, answersRevision };
}
