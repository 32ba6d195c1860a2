import { createBatchLoader, statement, type BatchLoader, type Database, type Statement } from '../../database/index.js';
import { GROUP_COLUMNS, groupFromRow, type GroupRow } from '../model/group-row.js';
import type { MemberView, StoredGroup } from '../model/group-view.js';
import { MEMBERSHIP_COLUMNS, membershipFromRow, type MembershipRow } from '../model/membership-row.js';
import type { StoredScore } from '../model/score-view.js';

export interface GroupAccessKey {
  readonly groupId: string;
  /** Null for an API client. */
  readonly callerId: string | null;
}

/** A group with the fact that decides on the caller's access. */
interface GroupAccess extends GroupAccessKey {
  readonly group: StoredGroup;
  /** Whether the caller is a member or an administrator; false for an API client. */
  readonly callerIsInsider: boolean;
}

export interface ScoredGroupAccess extends GroupAccess {
  /** The current score; null when the group was never scored. */
  readonly score: StoredScore | null;
}

/** A group with what else is known of it and of the caller. */
interface GroupDetails extends GroupAccessKey {
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
  /** Loads null when the group does not exist. */
  readonly scoredGroupAccess: BatchLoader<GroupAccessKey, ScoredGroupAccess>;
  /** Loads twice as many columns. Null when the group does not exist. */
  readonly groupDetails: BatchLoader<GroupAccessKey, GroupDetails>;
}

interface GroupAccessRow extends GroupRow {
  readonly callerId: string | null;
  readonly callerIsInsider: boolean;
}

interface ScoreColumns {
  /** Null, like the other columns of the score, when the group was never scored. */
  readonly sequence: number | null;
  readonly value: number;
  readonly source: string;
  readonly scoredAt: Date;
  readonly scoredAnswersRevision: number;
}

const SCORE_COLUMNS = `
    s.sequence, s.value, s.source, s.scored_at as "scoredAt", s.answers_revision as "scoredAnswersRevision"`;

const SCORE = `
  left join lateral (
    select * from compatibility_score where group_id = g.id order by sequence desc limit 1
  ) s on true`;

const ACCESS_COLUMNS = `${GROUP_COLUMNS}, key.caller_id as "callerId",
    m.user_id is not null or coalesce((
      select disabled_at is null and 'ADMIN' = any(roles) from account where id = key.caller_id
    ), false) as "callerIsInsider"`;

/** `offset 0` keeps the planner from reading all groups, or all memberships of the caller. */
const ACCESS = `
  from unnest($1::uuid[], $2::uuid[]) as key (group_id, caller_id)
  cross join lateral (select * from groups where id = key.group_id offset 0) g
  left join lateral (select user_id from member where group_id = g.id and user_id = key.caller_id offset 0) m on true`;

const GROUP_ACCESS = statement<GroupAccessRow>('group_access', `select ${ACCESS_COLUMNS} ${ACCESS}`);

const SCORED_GROUP_ACCESS = statement<GroupAccessRow & ScoreColumns>(
  'scored_group_access',
  `select ${ACCESS_COLUMNS}, ${SCORE_COLUMNS} ${ACCESS} ${SCORE}`,
);

interface GroupDetailsRow extends MembershipRow, ScoreColumns {
  readonly callerId: string | null;
  readonly callerIsAdmin: boolean;
}

const GROUP_DETAILS = statement<GroupDetailsRow>(
  'group_details',
  `
  select ${MEMBERSHIP_COLUMNS}, key.caller_id as "callerId",
    coalesce(a.disabled_at is null and 'ADMIN' = any(a.roles), false) as "callerIsAdmin", ${SCORE_COLUMNS}
  from unnest($1::uuid[], $2::uuid[]) as key (group_id, caller_id)
  cross join lateral (select * from groups where id = key.group_id offset 0) g
  left join account a on a.id = key.caller_id
  left join lateral (select * from member where group_id = g.id and user_id = a.id offset 0) m on true
  ${SCORE}`,
);

export function createGroupAccessLoaders(database: Database): GroupAccessLoaders {
  const read = async <Row>(toRun: Statement<Row>, keys: readonly GroupAccessKey[]): Promise<Row[]> =>
    database.query(toRun, [keys.map(({ groupId }) => groupId), keys.map(({ callerId }) => callerId)]);
  return {
    groupAccess: createBatchLoader(
      async (keys: readonly GroupAccessKey[]) => (await read(GROUP_ACCESS, keys)).map(accessFromRow),
      toCacheKey,
      toCacheKey,
    ),
    scoredGroupAccess: createBatchLoader(
      async (keys: readonly GroupAccessKey[]) =>
        (await read(SCORED_GROUP_ACCESS, keys)).map((row) => ({ ...accessFromRow(row), score: scoreFromRow(row) })),
      toCacheKey,
      toCacheKey,
    ),
    groupDetails: createBatchLoader(
      async (keys: readonly GroupAccessKey[]) => (await read(GROUP_DETAILS, keys)).map(detailsFromRow),
      toCacheKey,
      toCacheKey,
    ),
  };
}

function toCacheKey({ groupId, callerId }: GroupAccessKey): string {
  return `${groupId} ${callerId}`;
}

function accessFromRow(row: GroupAccessRow): GroupAccess {
  const { id, callerId, callerIsInsider } = row;
  return { groupId: id, callerId, callerIsInsider, group: groupFromRow(row) };
}

function detailsFromRow(row: GroupDetailsRow): GroupDetails {
  return {
    groupId: row.id,
    callerId: row.callerId,
    callerIsAdmin: row.callerIsAdmin,
    group: groupFromRow(row),
    membership: membershipFromRow(row),
    score: scoreFromRow(row),
  };
}

function scoreFromRow(row: ScoreColumns): StoredScore | null {
  const { sequence, value, source, scoredAt, scoredAnswersRevision: answersRevision } = row;
  return sequence === null ? null : { sequence, value, source, scoredAt, answersRevision };
}
