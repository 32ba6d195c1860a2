import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction, type Database } from '../../database/index.js';
import { recordAuditEvent } from '../audit/record-audit-event.js';
import { Account } from '../identity/account.entity.js';
import type { LockedAccount } from '../identity/locked-account.js';
import { lockConfirmedAccount } from '../passwords/confirm-password.js';
import { revokeSessions } from '../revocation/revoke-sessions.js';

/** Shown in place of the name of a deleted account until its row is gone. No account can have it: it has brackets. */
export const DELETED_USERNAME = '(deleted)';
/** The hash of no password. */
const NO_HASH = '';
/** Rows that one transaction changes at most. */
const ROWS_PER_BATCH = 1_000;

/**
 * Locks an account that is to be erased. Until the transaction ends no row anywhere can begin to refer to it; those that
 * are just being written are waited for, so lock what their writers lock (groups) before.
 *
 * @param confirmedHash what `confirmPassword` gave
 * @returns null when the password was replaced since: confirm it once more
 * @throws UnauthenticatedError `TOKEN_REVOKED` when the account is gone or disabled
 */
export function lockAccountToErase(
  em: EntityManager,
  userId: string,
  confirmedHash: string,
): Promise<LockedAccount | null> {
  return lockConfirmedAccount(em, userId, confirmedHash, 'exclusive');
}

/** These refer to the account without saying so to the database. */
const BESIDES = [
  'delete from account_event where user_id = ?',
  `delete from outbox_task where registered_user_id is null and payload ->> 'userId' = ?::text`,
];

/** A foreign key to `account`. */
interface Reference {
  readonly table: string;
  readonly column: string;
}

/** `c` for on delete cascade, `n` for on delete set null, `a` for none: such rows keep the account from being removed. */
type OnDelete = 'c' | 'n' | 'a';

/** SQL for the foreign keys to `account`; names are quoted where SQL needs it. */
const REFERENCES = `
  select c.conrelid::regclass::text as "table", quote_ident(a.attname) as "column"
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confrelid = 'account'::regclass and c.confdeltype = ?
  order by 1, 2`;

/**
 * Erases, in the transaction that holds the account's lock, everything that accounts keep about it. Its username is free and
 * its tokens are dead from then on. The row remains, disabled and without personal data, for those that refer to it: see
 * `forgetAccount`.
 *
 * @returns the sessions that ended, for `deps.revocations.announce` after the commit
 */
export async function eraseAccount(em: EntityManager, account: LockedAccount, now: Date): Promise<string[]> {
  const { id: userId, emailKey, emailVerifiedAt } = account;
  const revokedSessionIds = await revokeSessions(em, { account }, now);
  // Of nobody: the audit keeps that an account ended, but not whose it was.
  recordAuditEvent(em, { action: 'account.deleted', actorId: null, subjectId: null }, now);
  for (const statement of BESIDES) await em.execute(statement, [userId]);
  for (const { table, column } of await findReferences(em, 'c'))
    await em.execute(`delete from ${table} where ${column} = ?`, [userId]);
  // An address that was not proven may be somebody else's.
  if (emailVerifiedAt !== null) await em.execute('delete from password_reset where email_key = ?', [emailKey]);
  em.assign(account, {
    username: DELETED_USERNAME,
    // Keys of usernames are in lower case, so no username has this one.
    usernameKey: `DELETED ${userId}`,
    email: null,
    emailKey: null,
    emailVerifiedAt: null,
    displayName: null,
    passwordHash: NO_HASH,
    roles: ['USER'],
    disabledAt: now,
    deletedAt: now,
    lastLoginAt: null,
  } satisfies Partial<Account>);
  return revokedSessionIds;
}

/**
 * Takes the next step towards removing the row of a deleted account, as one transaction: at most 1,000 rows forget that they
 * named it, or, when none does, the row goes. Safe to repeat.
 *
 * @returns false when steps remain, also while a row refers to the account that cannot be without it
 */
export async function forgetAccount(database: Database, userId: string): Promise<boolean> {
  return inTransaction(database, async (em) => {
    for (const { table, column } of await findReferences(em, 'n')) {
      if ((await forgetRows(em, { table, column }, userId)) > 0) return false;
    }
    return removeRow(em, userId);
  });
}

/** Makes tasks that concern a removed account forget it, in the transaction that ends the last of them. */
export async function forgetInTasks(em: EntityManager, userId: string): Promise<void> {
  await em.execute(
    `update outbox_task set payload = '{}' where registered_user_id is null and payload ->> 'userId' = ?::text`,
    [userId],
  );
}

async function forgetRows(em: EntityManager, { table, column }: Reference, userId: string): Promise<number> {
  const rows = await em.execute<object[]>(
    `update ${table} set ${column} = null
     where ${column} = ? and ctid = any(array(select ctid from ${table} where ${column} = ? limit ${ROWS_PER_BATCH})) returning 1`,
    [userId, userId],
  );
  return rows.length;
}

/** The lock keeps new rows from naming the account. Those that have named it since the last step are few. */
async function removeRow(em: EntityManager, userId: string): Promise<boolean> {
  await em.execute('select 1 from account where id = ? for update', [userId]);
  for (const { table, column } of await findReferences(em, 'a')) {
    if ((await em.execute<object[]>(`select 1 from ${table} where ${column} = ? limit 1`, [userId])).length > 0)
      return false;
  }
  await em.nativeDelete(Account, { id: userId, deletedAt: { $ne: null } });
  return true;
}

function findReferences(em: EntityManager, action: OnDelete): Promise<Reference[]> {
  return em.execute<Reference[]>(REFERENCES, [action]);
}
