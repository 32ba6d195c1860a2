/** Seeds millions of accounts and members by SQL, with the counts and the history that the service would write. */
import pg from 'pg';

const BATCH_ROWS = 100_000;

/** Accounts are numbered from 0; a group has the accounts from `firstAccount` on, the first of them as its owner. */
export interface SeededGroups {
  readonly firstGroup: number;
  readonly groupCount: number;
  readonly firstAccount: number;
  readonly size: number;
}

export type Connection = Pick<pg.Client, 'query'>;
type Progress = (doneRows: number, allRows: number) => void;

export const accountId = (n: number): string => uuid('8000', n);
export const groupId = (n: number): string => uuid('9000', n);
export const usernameOf = (n: number): string => `user${String(n)}`;
export const addressOf = (n: number): string => `user${String(n)}@example.org`;

function uuid(kind: string, n: number): string {
  return `00000000-0000-7000-${kind}-${n.toString(16).padStart(12, '0')}`;
}

function uuidSql(kind: string, n: string): string {
  return `('00000000-0000-7000-${kind}-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
}

/**
 * Runs `work` on a connection without the time limits of the service, foreign keys unchecked and commits not flushed.
 * `requireConsistentGroups` checks what the foreign keys would.
 */
export async function withSeedConnection<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  try {
    await connection.query('set session_replication_role = replica; set synchronous_commit = off');
    return await work(connection);
  } finally {
    await connection.end();
  }
}

const STARTED_AT = `timestamptz '2026-01-01'`;

const INSERT_ACCOUNTS = `
  insert into account (id, username, username_key, email, email_key, email_verified_at, display_name, password_hash,
    created_at)
  select ${uuidSql('8000', 'n')}, 'user' || n, 'user' || n, 'user' || n || '@example.org',
    'user' || n || '@example.org', ${STARTED_AT}, 'User Number ' || n, $3, ${STARTED_AT} + n * interval '1 ms'
  from generate_series($1::bigint, $2::bigint) n`;

/** Verified accounts with the same password. */
export async function seedAccounts(
  connection: Connection,
  { count, passwordHash }: { readonly count: number; readonly passwordHash: string },
  progress: Progress,
): Promise<void> {
  await inBatches(count, progress, (first, last) => connection.query(INSERT_ACCOUNTS, [first, last, passwordHash]));
}

/** Every third member has accepted, in the order of the seats and after the last invitation. */
const ACCEPTING_SEATS = 3;

/**
 * `row` counts the seats of all groups: seat `s` of group `g`. $3 first group, $4 first account, $5 size of a group.
 * The owner, on seat 0, accepted with the creation.
 */
const SEATS = `
  from generate_series($1::bigint, $2::bigint) row,
    lateral (select $3::bigint + row / $5::bigint as g, row % $5::bigint as s, $4::bigint + row as account) seat,
    lateral (select s % ${String(ACCEPTING_SEATS)} = 0 as accepted, s / ${String(ACCEPTING_SEATS)} as answer,
      s <> 0 and s % ${String(ACCEPTING_SEATS)} = 0 as responded) response`;
const GROUP = uuidSql('9000', 'g');
const ACCOUNT = uuidSql('8000', 'account');
const OWNER = uuidSql('8000', 'account - s');

const INSERT_MEMBERS = `
  insert into member (group_id, user_id, role, status, invited_by_id, invited_at, responded_at, revision)
  select ${GROUP}, ${ACCOUNT}, case s when 0 then 'OWNER' else 'MEMBER' end,
    case when accepted then 'ACCEPTED' else 'PENDING' end, case when s <> 0 then ${OWNER} end,
    ${STARTED_AT} + s * interval '1 ms',
    case when accepted then ${STARTED_AT} + (case s when 0 then 0 else $5 + answer end) * interval '1 ms' end,
    case when responded then 2 else 1 end
  ${SEATS}`;

const INSERT_INVITATIONS = `
  insert into group_change (group_id, revision, cause, actor_id, subject_id, status, state_before, state_after, at,
    pending_count, accepted_count, tentative_count, declined_count, open_invitations, lapsed_invitations)
  select ${GROUP}, s + 1, case s when 0 then 'CREATED' else 'INVITED' end, ${OWNER}, ${ACCOUNT},
    case s when 0 then 'ACCEPTED' else 'PENDING' end, case when s <> 0 then 'FORMING' end, 'FORMING',
    ${STARTED_AT} + s * interval '1 ms', s, 1, 0, 0, 0, 0
  ${SEATS}`;

const INSERT_RESPONSES = `
  insert into group_change (group_id, revision, cause, actor_id, subject_id, status, state_before, state_after, at,
    pending_count, accepted_count, tentative_count, declined_count, open_invitations, lapsed_invitations)
  select ${GROUP}, $5 + answer, 'RESPONSE', ${ACCOUNT}, ${ACCOUNT}, 'ACCEPTED', 'FORMING', 'FORMING',
    ${STARTED_AT} + ($5 + answer) * interval '1 ms', $5 - 1 - answer, 1 + answer, 0, 0, 0, 0
  ${SEATS} where responded`;

/** They need all acceptances, so their state is FORMING. */
const INSERT_GROUPS = `
  insert into groups (id, name, state, state_changed_at, created_at, revision, answers_revision, pending_count,
    accepted_count, tentative_count, declined_count, open_invitations, lapsed_invitations)
  select ${GROUP}, 'Group ' || g, 'FORMING', ${STARTED_AT}, ${STARTED_AT}, $3::bigint + answers, $3 + answers,
    $3 - 1 - answers, 1 + answers, 0, 0, 0, 0
  from generate_series($1::bigint, $2::bigint) g,
    lateral (select ($3::bigint - 1) / ${String(ACCEPTING_SEATS)} as answers) total`;

export async function seedGroups(connection: Connection, groups: SeededGroups, progress: Progress): Promise<void> {
  const { firstGroup, groupCount, firstAccount, size } = groups;
  await connection.query(INSERT_GROUPS, [firstGroup, firstGroup + groupCount - 1, size]);
  await inBatches(groupCount * size, progress, async (first, last) => {
    for (const insert of [INSERT_MEMBERS, INSERT_INVITATIONS, INSERT_RESPONSES])
      await connection.query(insert, [first, last, firstGroup, firstAccount, size]);
  });
}

/**
 * The counts of the groups must be those of their members with an account, and of the last entry of a history without
 * gaps.
 */
const INCONSISTENT = `
  with members as (
    select m.group_id, count(*) filter (where m.status = 'PENDING') as pending,
      count(*) filter (where m.status = 'ACCEPTED') as accepted,
      count(*) filter (where m.status = 'TENTATIVE') as tentative
    from member m join account a on a.id = m.user_id group by 1),
  history as (select group_id, count(*) as entries, max(revision) as last from group_change group by 1)
  select g.id from groups g
  left join members m on m.group_id = g.id
  left join history h on h.group_id = g.id
  left join group_change c on c.group_id = g.id and c.revision = g.revision
  where (m.pending, m.accepted, m.tentative, h.entries, h.last, c.pending_count, c.accepted_count, c.tentative_count)
    is distinct from (g.pending_count::bigint, g.accepted_count::bigint, g.tentative_count::bigint, g.revision::bigint,
      g.revision, g.pending_count, g.accepted_count, g.tentative_count)
  limit 1`;

/** @throws Error when counts, members and history of a group differ */
export async function requireConsistentGroups(connection: Connection): Promise<void> {
  const { rows } = await connection.query<{ id: string }>(INCONSISTENT);
  if (rows[0] !== undefined) throw new Error(`Counts, members and history of group ${rows[0].id} differ`);
}

/** As autovacuum does; without it, plans are those of almost empty tables. */
export async function vacuum(connection: Connection): Promise<void> {
  await connection.query('vacuum (analyze)');
}

async function inBatches(
  count: number,
  progress: Progress,
  insert: (first: number, last: number) => Promise<unknown>,
): Promise<void> {
  for (let first = 0; first < count; first += BATCH_ROWS) {
    const last = Math.min(first + BATCH_ROWS, count) - 1;
    await insert(first, last);
    progress(last + 1, count);
  }
}
