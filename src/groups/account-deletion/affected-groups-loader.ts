import { createBatchLoader, statement, type BatchLoader, type Database } from '../../database/index.js';
import { MEMBERSHIP_COLUMNS, type MembershipRow } from '../model/membership-row.js';
import { deletionEffectSql, type DeletionEffect } from './deletion-effect.js';

/** Row of a group that the deletion of an account affects, with the account's membership. */
export interface AffectedGroupRow extends MembershipRow {
  /** Open invitations to the account's verified address. */
  readonly openInvitationsToAccount: number;
  /** Expired invitations to the account's verified address. */
  readonly lapsedInvitationsToAccount: number;
}

export interface AffectedGroupsQuery {
  readonly userId: string;
  readonly effects: readonly DeletionEffect[];
  /** Maximum number of groups. */
  readonly first: number;
}

export interface DeletionTotals {
  readonly userId: string;
  /** Groups that block the deletion. */
  readonly blockingGroups: number;
  /** Groups that continue without the account. */
  readonly changingGroups: number;
  /** Unanswered invitations from the account that remain, without an inviter. */
  readonly sentInvitations: number;
}

/** Loaders of the effects of deleting an account. Equal queries of one event-loop iteration share one statement. */
export interface AccountDeletionLoaders {
  /** Loads the first affected groups with one of the effects, in ascending order of id. */
  readonly affectedGroups: (query: AffectedGroupsQuery) => Promise<readonly AffectedGroupRow[]>;
  /** Loads the totals by user id. */
  readonly deletionTotals: BatchLoader<string, DeletionTotals>;
}

/** SQL for the groups that deleting account `$1` affects, by membership or an unanswered invitation to its address. */
const FROM_AFFECTED_GROUPS = `
  (
    select group_id from member where user_id = $1
    union
    select i.group_id from account a join invitation i on i.email_key = a.email_key and i.status in ('OPEN', 'LAPSED')
    where a.id = $1 and a.email_verified_at is not null
  ) affected
  join groups g on g.id = affected.group_id
  left join member m on m.group_id = g.id and m.user_id = $1`;

const AFFECTED_GROUPS = statement<AffectedGroupRow>(
  'affected_groups',
  `
  select ${MEMBERSHIP_COLUMNS}, invitations.open as "openInvitationsToAccount",
    invitations.lapsed as "lapsedInvitationsToAccount"
  from (
    select g.id from ${FROM_AFFECTED_GROUPS}
    where ${deletionEffectSql('$1')} = any($2::text[]) order by g.id limit $3
  ) page
  join groups g on g.id = page.id
  join account a on a.id = $1
  left join member m on m.group_id = g.id and m.user_id = a.id
  cross join lateral (
    select count(*) filter (where status = 'OPEN')::integer as open,
      count(*) filter (where status = 'LAPSED')::integer as lapsed
    from invitation where group_id = g.id and email_key = a.email_key and a.email_verified_at is not null
  ) invitations
  order by g.id`,
);

const DELETION_TOTALS = statement<DeletionTotals>(
  'deletion_totals',
  `
  with affected_group as (select g.id, ${deletionEffectSql('$1')} as effect from ${FROM_AFFECTED_GROUPS})
  select $1::uuid as "userId",
    (select count(*)::integer from affected_group where effect = 'BLOCK_DELETION') as "blockingGroups",
    (select count(*)::integer from affected_group
      where effect in ('KEEP_GROUP', 'TRANSFER_OWNERSHIP')) as "changingGroups",
    (select count(*)::integer from invitation
      where invited_by_id = $1 and status in ('OPEN', 'LAPSED')
        and not exists (select from affected_group where id = group_id and effect = 'DELETE_GROUP')
    ) as "sentInvitations"`,
);

interface LoadedPage {
  readonly key: string;
  readonly rows: readonly AffectedGroupRow[];
}

export function createAccountDeletionLoaders(database: Database): AccountDeletionLoaders {
  const loadPage: BatchLoader<AffectedGroupsQuery, LoadedPage> = createBatchLoader(
    (queries: readonly AffectedGroupsQuery[]) =>
      readSequentially(queries, async (query) => [
        {
          key: toCacheKey(query),
          rows: await database.query(AFFECTED_GROUPS, [query.userId, query.effects, query.first]),
        },
      ]),
    toCacheKey,
    ({ key }) => key,
  );
  return {
    affectedGroups: async (query) => (await loadPage(query))?.rows ?? [],
    deletionTotals: createBatchLoader(
      (userIds: readonly string[]) => readSequentially(userIds, (userId) => database.query(DELETION_TOTALS, [userId])),
      (userId) => userId,
      ({ userId }) => userId,
    ),
  };
}

/** One query at a time: these rare queries must not take several connections from other requests. */
async function readSequentially<Key, Row>(keys: readonly Key[], read: (key: Key) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const key of keys) rows.push(...(await read(key)));
  return rows;
}

function toCacheKey({ userId, effects, first }: AffectedGroupsQuery): string {
  return [userId, ...effects, first].join(' ');
}
