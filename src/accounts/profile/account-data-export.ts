import { statement, type Database, type Statement } from '../../database/index.js';

/**
 * Maximum size of one section in one part of an export, except for its last row. Most rows are short, but some store
 * results for many users.
 */
const MAX_SECTION_BYTES = 1_000_000;

export interface RecordRow {
  /** Position in its section. */
  readonly sortKey: string;
  /** Number of rows available, at most the requested number. */
  readonly rowsFound: number;
  readonly bytesBefore: number | null;
  readonly [column: string]: unknown;
}

/**
 * Sections of a document, each with the statement that reads its rows: at most `$3` rows of account `$1` after the sort
 * key `$2`.
 */
export type ExportSections = Readonly<Record<string, Statement<RecordRow>>>;

export interface SectionPage {
  readonly rows: readonly object[];
  /** Sort key of the last row when more rows follow; null otherwise. */
  readonly next: string | null;
}

/**
 * Creates the statement of a section.
 *
 * @param name name of the prepared statement
 * @param columns SQL of the columns
 * @param from SQL of the tables, ending in a condition
 * @param sortKey SQL text, unique per row, by which the rows are ordered
 */
export function section(name: string, columns: string, from: string, sortKey: string): Statement<RecordRow> {
  return statement<RecordRow>(
    name,
    `
    select * from (
      select record.*, count(*) over ()::integer as "rowsFound",
        (sum(octet_length(record::text)) over (
          order by "sortKey" rows between unbounded preceding and 1 preceding
        ))::integer as "bytesBefore"
      from (
        select * from (select ${columns}, (${sortKey}) collate "C" as "sortKey" from ${from}) as every
        where "sortKey" > $2 order by "sortKey" limit $3
      ) as record
    ) as page
    where coalesce("bytesBefore", 0) < ${MAX_SECTION_BYTES} order by "sortKey"`,
  );
}

/** SQL text that sorts like the time. */
export function timeKey(time: string): string {
  return `to_char(${time} at time zone 'UTC', 'YYYYMMDDHH24MISSUS')`;
}

/** Reads the rows of a section after a sort key; the empty text stands for the beginning. */
export async function readSection(
  database: Database,
  read: Statement<RecordRow>,
  userId: string,
  after: string,
  maxRows: number,
): Promise<SectionPage> {
  const rows = await database.query(read, [userId, after, maxRows + 1]);
  const page = rows.slice(0, maxRows);
  const hasMore = (rows[0]?.rowsFound ?? 0) > page.length;
  return {
    rows: page.map(({ sortKey: _, rowsFound: _found, bytesBefore: _bytes, ...row }) => row),
    next: hasMore ? (page.at(-1)?.sortKey ?? after) : null,
  };
}

/** All data that accounts store about an account, except the hashes of its password and of its networks. */
export const ACCOUNT_SECTIONS: ExportSections = {
  profile: section(
    'records_profile',
    `
    id, username, display_name as "displayName", email, email_verified_at as "emailVerifiedAt", roles,
      disabled_at as "disabledAt", created_at as "createdAt", last_login_at as "lastLoginAt"`,
    'account where id = $1',
    'id::text',
  ),
  emailVerifications: section(
    'records_verifications',
    'email, expires_at as "expiresAt", used_at as "usedAt"',
    'email_verification where user_id = $1',
    'user_id::text',
  ),
  passwordResets: section(
    'records_resets',
    'expires_at as "expiresAt"',
    'password_reset where user_id = $1',
    `${timeKey('expires_at')} || id`,
  ),
  sessions: section(
    'records_sessions',
    `
    id, created_at as "createdAt", rotated_at as "lastUsedAt", expires_at as "expiresAt", user_agent as "userAgent",
      address`,
    'session where user_id = $1',
    `${timeKey('created_at')} || id`,
  ),
  // Neither the order of the rows nor any column may reveal the network.
  knownNetworks: section(
    'records_networks',
    'last_login_at as "lastLoginAt"',
    'known_address where user_id = $1',
    `${timeKey('last_login_at')} || md5(network_mac)`,
  ),
  followUps: section(
    'records_follow_ups',
    `
    id, name, status, attempts, created_at as "createdAt", finished_at as "finishedAt"`,
    'outbox_task where registered_user_id = $1',
    'id::text',
  ),
  otherTasks: section(
    'records_tasks',
    `
    id, name, status, attempts, created_at as "createdAt", finished_at as "finishedAt"`,
    `outbox_task where registered_user_id is null and payload ->> 'userId' = $1::text`,
    'id::text',
  ),
  notices: section(
    'records_notices',
    'task.name, recipient.email as "to", task.created_at as "createdAt"',
    'notice_recipient recipient join outbox_task task on task.id = task_id where user_id = $1',
    'task_id::text',
  ),
  repeatableRequests: section(
    'records_requests',
    'made, at',
    'idempotent_request where account_id = $1',
    `${timeKey('at')} || md5(key_mac)`,
  ),
  auditEvents: section(
    'records_audit',
    `
    at, action, coalesce(actor_id = $1, false) as "doneByYou", coalesce(subject_id = $1, false) as "aboutYou", detail`,
    'audit_event where actor_id = $1 or subject_id = $1',
    `${timeKey('at')} || id`,
  ),
  events: section('records_events', 'id, kind, at', 'account_event where user_id = $1', `${timeKey('at')} || id`),
};
