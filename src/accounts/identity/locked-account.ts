import type { EntityManager } from '@mikro-orm/postgresql';
import { statement, transactionOf } from '../../database/index.js';
import { UnauthenticatedError } from '../../errors/index.js';
import { Account } from './account.entity.js';

declare const LOCKED: unique symbol;

/**
 * An account whose row lock the current transaction holds, read under that lock. Its columns can be written.
 *
 * Only this file creates one. A function that writes an account, or bases a write on it, takes this type: a value read
 * before the lock may be stale, and writing by it would undo a concurrent change.
 */
export type LockedAccount = { -readonly [Column in keyof Account]: Account[Column] } & { readonly [LOCKED]: true };

/**
 * Row locks of PostgreSQL. The exclusive lock also blocks new foreign key references to the account. Erasing an account
 * needs that, and so does verifying its address, which must see every membership that another transaction is creating.
 */
const LOCK_ROWS = {
  change: statement<object>('lock_accounts', lockRowsSql('for no key update')),
  exclusive: statement<object>('lock_accounts_exclusively', lockRowsSql('for update')),
} as const;
export type AccountLock = keyof typeof LOCK_ROWS;

function lockRowsSql(rowLock: string): string {
  return `select * from account where id = any($1::uuid[]) order by id ${rowLock}`;
}

/** Keyed by transaction, because a row lock ends with its transaction. */
const lockedIn = new WeakMap<object, Map<string, LockedAccount>>();

/**
 * Locks an account until the transaction ends and reads it under the lock. Logins and other changes of the account
 * wait; rows that refer to it can still be written. Repeating a `change` lock costs nothing.
 *
 * Lock order: group, account, other rows of the account, advisory locks. Call it before a function that takes a `FOR
 * SHARE` lock on the row (`isAdmin`, `requireVerifiedEmail`): two transactions that upgrade a shared lock deadlock.
 *
 * @returns null when the account does not exist
 */
export async function lockAccount(
  em: EntityManager,
  userId: string,
  lock: AccountLock = 'change',
): Promise<LockedAccount | null> {
  return (await lockRows(em, [userId], lock)).get(userId) ?? null;
}

/**
 * Locks several accounts for change, in ascending order of their ids.
 *
 * @returns the accounts that exist, by id
 */
export function lockAccounts(
  em: EntityManager,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, LockedAccount>> {
  return lockRows(em, userIds, 'change');
}

/**
 * As `lockAccount`.
 *
 * @throws UnauthenticatedError `TOKEN_REVOKED` when the account is deleted or disabled
 */
export async function requireLockedAccount(
  em: EntityManager,
  userId: string,
  lock: AccountLock = 'change',
): Promise<LockedAccount> {
  const account = await lockAccount(em, userId, lock);
  if (account === null || account.disabledAt !== null) throw new UnauthenticatedError('TOKEN_REVOKED');
  return account;
}

/** Whether the current transaction holds the lock of an account. */
export function isAccountLocked(em: Pick<EntityManager, 'getTransactionContext'>, userId: string): boolean {
  const transaction = em.getTransactionContext<object>();
  return transaction !== undefined && lockedIn.get(transaction)?.has(userId) === true;
}

/**
 * Requires that the current transaction locked this account. For functions that write by SQL.
 *
 * @throws Error when another transaction locked it: the account may have changed since
 */
export function assertLockHeld(em: EntityManager, account: LockedAccount): void {
  if (accountsLockedBy(em).get(account.id) === account) return;
  throw new Error(`Account ${account.id} was locked by another transaction`);
}

async function lockRows(
  em: EntityManager,
  ids: readonly string[],
  lock: AccountLock,
): Promise<ReadonlyMap<string, LockedAccount>> {
  const locked = accountsLockedBy(em);
  // Each account is read once: a second read would discard changes that are not flushed yet.
  const missing = lock === 'change' ? ids.filter((id) => !locked.has(id)) : [...ids];
  if (missing.length > 0) {
    for (const row of await transactionOf(em).query(LOCK_ROWS[lock], [missing]))
      registerLocked(em, em.map(Account, row));
  }
  return locked;
}

function registerLocked(em: EntityManager, account: Account): LockedAccount {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the only place that brands an account
  const locked = account as LockedAccount;
  accountsLockedBy(em).set(account.id, locked);
  return locked;
}

/** @throws Error outside a transaction, where a row lock would end with its statement */
function accountsLockedBy(em: EntityManager): Map<string, LockedAccount> {
  const transaction = em.getTransactionContext<object>();
  if (transaction === undefined) throw new Error('Account lock needs a transaction');
  const locked = lockedIn.get(transaction) ?? new Map<string, LockedAccount>();
  lockedIn.set(transaction, locked);
  return locked;
}
