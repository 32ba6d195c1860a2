import {
  createBatchLoader,
  KnownRows,
  statement,
  unlessKnown,
  versionOf,
  type BatchLoader,
  type Database,
  type Statement,
  type Versioned,
} from '../../database/index.js';
import { GROUP_COLUMNS, groupFromJson, type GroupJson } from '../model/group-row.js';
import type { StoredGroup } from '../model/group-view.js';
import { DIRECTORY_VERSION, membersVersion } from '../model/members-version.js';
import { CURRENT_SCORE, SCORE_COLUMNS, scoreFromJson, type ScoreJson } from '../model/score-row.js';
import type { StoredScore } from '../model/score-view.js';

export interface GroupAccessKey {
  readonly groupId: string;
  /** Null for an API client. */
  readonly callerId: string | null;
}

/** What decides on the caller's access to a group. */
interface Access extends GroupAccessKey {
  /** Whether the caller is a member or an administrator; false for an API client. */
  readonly callerIsInsider: boolean;
  /** See `membersVersion`. */
  readonly membersVersion: string | null;
}

interface GroupAccess extends Access {
  readonly group: StoredGroup;
}

export interface ScoredGroupAccess extends GroupAccess {
  /** The current score; null when the group was never scored. */
  readonly score: StoredScore | null;
}

export interface GroupAccessLoaders {
  /** Loads null when the group does not exist. */
  readonly groupAccess: BatchLoader<GroupAccessKey, GroupAccess>;
  /** Loads null when the group does not exist. */
  readonly scoredGroupAccess: BatchLoader<GroupAccessKey, ScoredGroupAccess>;
}

interface ScoredGroupJson extends GroupJson {
  readonly score: ScoreJson | null;
}

interface AccessRow<Json> {
  /** Of the key, from 0. */
  readonly index: number;
  readonly callerIsInsider: boolean;
  /** Null without its one row. */
  readonly directoryVersion: number | null;
  /** Null when the given version is current. */
  readonly group: Versioned<Json> | null;
}

const ACCESS_COLUMNS = `key.position::integer - 1 as index,
    m.user_id is not null or coalesce((
      select disabled_at is null and 'ADMIN' = any(roles) from account where id = key.caller_id
    ), false) as "callerIsInsider",
    ${DIRECTORY_VERSION}`;

/** `offset 0` keeps the planner from reading all groups, or all memberships of the caller. */
const ACCESS = `
  from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as key (group_id, caller_id, version, position)
  cross join lateral (select *, xmin::text as version from groups where id = key.group_id offset 0) g
  left join lateral (select user_id from member where group_id = g.id and user_id = key.caller_id offset 0) m on true`;

const GROUP_ACCESS = statement<AccessRow<GroupJson>>(
  'group_access',
  `select ${ACCESS_COLUMNS}, ${unlessKnown('key.version', 'g.version', GROUP_COLUMNS)} as "group" ${ACCESS}`,
);

const SCORED_COLUMNS = `${GROUP_COLUMNS}, case when s.version is not null then (
      select row_to_json(score) from (select ${SCORE_COLUMNS}) score
    ) end as score`;

const SCORED_GROUP_ACCESS = statement<AccessRow<ScoredGroupJson>>(
  'scored_group_access',
  `
  select ${ACCESS_COLUMNS},
    ${unlessKnown('key.version', `concat_ws(' ', g.version, s.version)`, SCORED_COLUMNS)} as "group"
  ${ACCESS} ${CURRENT_SCORE}`,
);

export function createGroupAccessLoaders(database: Database): GroupAccessLoaders {
  return {
    groupAccess: createAccessLoader(database, GROUP_ACCESS, (json) => ({ group: groupFromJson(json) })),
    scoredGroupAccess: createAccessLoader(database, SCORED_GROUP_ACCESS, (json) => ({
      group: groupFromJson(json),
      score: json.score && scoreFromJson(json.score),
    })),
  };
}

/** @param parse converts what the statement reads, besides the access */
function createAccessLoader<Json, Known extends { readonly group: StoredGroup }>(
  database: Database,
  toRun: Statement<AccessRow<Json>>,
  parse: (json: Json) => Known,
): BatchLoader<GroupAccessKey, Known & Access> {
  const knownRows = new KnownRows(parse);
  const readMany = async (keys: readonly GroupAccessKey[]): Promise<(Known & Access)[]> => {
    const groupIds = keys.map(({ groupId }) => groupId);
    const callerIds = keys.map(({ callerId }) => callerId);
    const known = knownRows.find(groupIds);
    const rows = await database.query(toRun, [groupIds, callerIds, known.map(versionOf)]);
    return rows.flatMap((row) => {
      const key = keys[row.index];
      const current = key && knownRows.current(key.groupId, known[row.index], row.group);
      return key && current ? [{ ...current, ...accessFrom(row, key, current.group) }] : [];
    });
  };
  return createBatchLoader(readMany, accessKeyText, accessKeyText);
}

function accessFrom(
  { callerIsInsider, directoryVersion }: AccessRow<unknown>,
  { groupId, callerId }: GroupAccessKey,
  group: StoredGroup,
): Access {
  return { groupId, callerId, callerIsInsider, membersVersion: membersVersion(group, directoryVersion) };
}

export function accessKeyText({ groupId, callerId }: GroupAccessKey): string {
  return `${groupId} ${callerId}`;
}
