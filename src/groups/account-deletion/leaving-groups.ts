import { createBatchLoader, statement, type BatchLoader, type Database } from '../../database/index.js';
import { MEMBERSHIP_COLUMNS, type MembershipRow } from '../access/membership-row.js';
import { affectedGroupIdsSql } from './affected-group-ids.js';
import { fateSql, type DeletionEffect } from './deletion-effect.js';

/** A group that an account has to do with, as the end of the account changes it. */
export interface LeavingRow extends MembershipRow {
  /** Invitations to the account's verified address. */
  readonly openToThem: number;
  readonly lapsedToThem: number;
}

export interface LeavingAsk {
  readonly userId: string;
  readonly fates: readonly DeletionEffect[];
  readonly first: number;
}

export interface DeletionTotals {
  readonly userId: string;
  readonly blockingGroups: number;
  readonly changingGroups: number;
  /** Unanswered invitations that stay, without an inviter. */
  readonly sentInvitations: number;
}

/** What the end of an account leads to; asked for several times in a turn, it is read once. */
export interface DeletionReads {
  /** The first of its groups with one of these fates, in the order of their ids. */
  readonly groups: (query: LeavingAsk) => Promise<readonly LeavingRow[]>;
  readonly totals: BatchLoader<string, DeletionTotals>;
}

const STANDINGS = `
  (${affectedGroupIdsSql('$1')}) concerned
  join groups g on g.id = concerned.group_id
  left join member m on m.group_id = g.id and m.user_id = $1`;

const LEAVING = statement<LeavingRow>(
  'leaving_groups',
  `
  select ${MEMBERSHIP_COLUMNS}, asked.open as "openToThem", asked.lapsed as "lapsedToThem"
  from (select g.id from ${STANDINGS} where ${fateSql('$1')} = any($2::text[]) order by g.id limit $3) leaving
  join groups g on g.id = leaving.id
  join account a on a.id = $1
  left join member m on m.group_id = g.id and m.user_id = a.id
  cross join lateral (
    select count(*) filter (where status = 'OPEN')::integer as open, count(*) filter (where status = 'LAPSED')::integer as lapsed
    from invitation where group_id = g.id and email_key = a.email_key and a.email_verified_at is not null
  ) asked
  order by g.id`,
);

const TOTALS = statement<DeletionTotals>(
  'deletion_totals',
  `
  with standing as (select g.id, ${fateSql('$1')} as fate from ${STANDINGS})
  select $1::uuid as "userId",
    (select count(*)::integer from standing where fate = 'BLOCKS') as "blockingGroups",
    (select count(*)::integer from standing where fate in ('GOES_ON', 'HANDED_ON')) as "changingGroups",
    (select count(*)::integer from invitation
      where invited_by_id = $1 and status in ('OPEN', 'LAPSED')
        and not exists (select from standing where id = group_id and fate = 'ENDS_TOO')) as "sentInvitations"`,
);

interface AnsweredLeaving {
  readonly text: string;
  readonly rows: readonly LeavingRow[];
}

export function deletionReads(database: Database): DeletionReads {
  const leaving: BatchLoader<LeavingAsk, AnsweredLeaving> = createBatchLoader(
    (asks: readonly LeavingAsk[]) =>
      oneByOne(asks, async (query) => [
        { text: cacheKey(query), rows: await database.query(LEAVING, [query.userId, query.fates, query.first]) },
      ]),
    cacheKey,
    ({ text }) => text,
  );
  return {
    groups: async (query) => (await leaving(query))?.rows ?? [],
    totals: createBatchLoader(
      (userIds: readonly string[]) => oneByOne(userIds, (userId) => database.query(TOTALS, [userId])),
      (userId) => userId,
      ({ userId }) => userId,
    ),
  };
}

/** Such asks are rare: they must not take the connections of everybody else. */
async function oneByOne<Key, Row>(keys: readonly Key[], read: (key: Key) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const key of keys) rows.push(...(await read(key)));
  return rows;
}

function cacheKey({ userId, fates, first }: LeavingAsk): string {
  return [userId, ...fates, first].join(' ');
}
