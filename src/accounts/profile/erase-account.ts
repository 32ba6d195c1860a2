import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction, transactionOf, unnamedStatement, type Database } from '../../database/index.js';
import { recordAuditEvent } from '../audit/record-audit-event.js';
import { Account } from '../identity/account.entity.js';
import type { LockedAccount } from '../identity/locked-account.js';
import { lockConfirmedAccount } from '../passwords/confirm-password.js';
import { revokeSessions } from '../revocation/revoke-sessions.js';

/**
 * Shown as the name of a deleted account until its row is removed. No account can have it, because of the parentheses.
 */
const DELETED_USERNAME = '(deleted)';
/** Matches no password. */
const NO_HASH = '';
/** Maximum number of rows that one transaction changes. */
const ROWS_PER_BATCH = 1_000;

/**
 * Locks an account that is to be erased. Until the transaction ends, no row can begin to refer to it. Waits for rows
 * that are being written, so lock what their writers lock (groups) before.
 *
 * @param confirmedHash as returned by `confirmPassword`
 * @returns null when the password was replaced since: confirm it again
 * @throws UnauthenticatedError `TOKEN_REVOKED` when the account is deleted or disabled
 */
export function lockAccountToErase(
  em: EntityManager,
  userId: string,
  confirmedHash: string,
): Promise<LockedAccount | null> {
  return lockConfirmedAccount(em, userId, confirmedHash, 'exclusive');
}

/** Rows that refer to the account without a foreign key. */
const DELETES_WITHOUT_FOREIGN_KEY = [
  unnamedStatement('delete from account_event where user_id = $1'),
  unnamedStatement(`delete from outbox_task where registered_user_id is null and payload ->> 'userId' = $1::text`),
];

const DELETE_RESETS = unnamedStatement('delete from password_reset where email_key = $1');

const FORGET_IN_TASKS = unnamedStatement(
  `update outbox_task set payload = '{}' where registered_user_id is null and payload ->> 'userId' = $1::text`,
);

const LOCK_ROW = unnamedStatement('select 1 from account where id = $1 for update');

/** A foreign key to `account`. */
interface Reference {
  readonly table: string;
  readonly column: string;
}

/**
 * `c` for on delete cascade, `n` for on delete set null, `a` for no action: such rows prevent the removal of the
 * account.
 */
type OnDelete = 'c' | 'n' | 'a';

/** The foreign keys to `account`, as quoted identifiers. */
const REFERENCES = unnamedStatement<Reference>(`
  select c.conrelid::regclass::text as "table", quote_ident(a.attname) as "column"
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confrelid = 'account'::regclass and c.confdeltype = $1
  order by 1, 2`);

/**
 * Erases all data that accounts store about an account, in the transaction that holds its lock. Its username is free
 * and its tokens are revoked from then on. The row remains, disabled and without personal data, for the rows that refer
 * to it: see `forgetAccount`.
 *
 * @returns the ids of the revoked sessions, for `deps.revocations.publish` after the commit
 */
export async function eraseAccount(em: EntityManager, account: LockedAccount, now: Date): Promise<string[]> {
  const { id: userId, emailKey, emailVerifiedAt } = account;
  const revokedSessionIds = await revokeSessions(em, { account }, now);
  // Without a subject: the audit records that an account was deleted, but not which one.
  recordAuditEvent(em, { action: 'account.deleted', actorId: null, subjectId: null }, now);
  const transaction = transactionOf(em);
  for (const deletion of DELETES_WITHOUT_FOREIGN_KEY) await transaction.query(deletion, [userId]);
  for (const { table, column } of await findReferences(em, 'c'))
    await transaction.query(unnamedStatement(`delete from ${table} where ${column} = $1`), [userId]);
  // An unverified address may belong to another person.
  if (emailVerifiedAt !== null) await transaction.query(DELETE_RESETS, [emailKey]);
  em.assign(account, {
    username: DELETED_USERNAME,
    // Username keys are in lower case, so no username has this key.
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
 * Takes the next step towards removing the row of a deleted account, in one transaction: clears at most 1,000
 * references, or removes the row when none is left. Idempotent.
 *
 * @returns false when steps remain, also while a row refers to the account that cannot exist without it
 */
export async function forgetAccount(database: Database, userId: string): Promise<boolean> {
  return inTransaction(database, async (em) => {
    for (const { table, column } of await findReferences(em, 'n')) {
      if ((await clearReferences(em, { table, column }, userId)) > 0) return false;
    }
    return removeRow(em, userId);
  });
}

/** Removes the account from the payloads of tasks that concern it, in the transaction that ends the last of them. */
export async function forgetInTasks(em: EntityManager, userId: string): Promise<void> {
  await transactionOf(em).query(FORGET_IN_TASKS, [userId]);
}

async function clearReferences(em: EntityManager, { table, column }: Reference, userId: string): Promise<number> {
  const clear = unnamedStatement(`
    update ${table} set ${column} = null
    where ${column} = $1 and ctid = any(array(select ctid from ${table} where ${column} = $1 limit ${ROWS_PER_BATCH}))
    returning 1`);
  return (await transactionOf(em).query(clear, [userId])).length;
}

/** The lock blocks new references. Those created since the last step are few. */
async function removeRow(em: EntityManager, userId: string): Promise<boolean> {
  const transaction = transactionOf(em);
  await transaction.query(LOCK_ROW, [userId]);
  for (const { table, column } of await findReferences(em, 'a')) {
    const reference = unnamedStatement(`select 1 from ${table} where ${column} = $1 limit 1`);
    if ((await transaction.query(reference, [userId])).length > 0) return false;
  }
  await em.nativeDelete(Account, { id: userId, deletedAt: { $ne: null } });
  return true;
}

function findReferences(em: EntityManager, action: OnDelete): Promise<Reference[]> {
  return transactionOf(em).query(REFERENCES, [action]);
}
