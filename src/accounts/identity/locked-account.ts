import type { RequiredEntityData } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { UnauthenticatedError } from '../../errors/index.js';
import { Account } from './account.entity.js';

declare const LOCKED: unique symbol;

/**
 * An account whose row lock the current transaction holds, read under that lock. Its columns can be written.
 *
 * Only this file creates one. A function that writes an account, or decides from one what to write, takes this type:
 * what was read before the lock may have changed, and deciding from it undoes the change.
 */
export type LockedAccount = { -readonly [Column in keyof Account]: Account[Column] } & { readonly [LOCKED]: true };

/**
 * Row locks of PostgreSQL. Under the exclusive one no row can begin to refer to the account: erasing an account takes
 * it, and so does verifying its address, which must not miss a membership that another transaction is making.
 */
const ROW_LOCKS = { change: 'for no key update', exclusive: 'for update' } as const;
export type AccountLock = keyof typeof ROW_LOCKS;

/** By transaction, since a row lock ends with it. */
const lockedIn = new WeakMap<object, Map<string, LockedAccount>>();

/**
 * Locks an account until the transaction ends, and reads it under the lock. Logins and other changes of the account
 * wait; rows that refer to it can still be written. Locking it again to change it costs nothing.
 *
 * Lock order: group, account, the account's other rows, advisory locks. Call it before a function that takes a share of
 * the row (`isAdmin`, `requireVerifiedEmail`): two transactions that upgrade their shares wait for each other.
 *
 * @returns null when there is no such account
 */
export async function lockAccount(
  em: EntityManager,
  userId: string,
  lock: AccountLock = 'change',
): Promise<LockedAccount | null> {
  return (await lockRows(em, [userId], lock)).get(userId) ?? null;
}

/** Locks several accounts to change them, in ascending order of their ids. @returns those that exist, by id */
export function lockAccounts(
  em: EntityManager,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, LockedAccount>> {
  return lockRows(em, userIds, 'change');
}

/** As `lockAccount`. @throws UnauthenticatedError `TOKEN_REVOKED` when the account is gone or disabled */
export async function requireLockedAccount(
  em: EntityManager,
  userId: string,
  lock: AccountLock = 'change',
): Promise<LockedAccount> {
  const account = await lockAccount(em, userId, lock);
  if (account === null || account.disabledAt !== null) throw new UnauthenticatedError('TOKEN_REVOKED');
  return account;
}

/**
 * Inserts an account immediately, so that a taken username ends the transaction before anything else is written. The account
 * counts as locked: no other transaction sees it before the commit.
 */
export async function insertAccount(em: EntityManager, data: RequiredEntityData<Account>): Promise<LockedAccount> {
  const account = em.create(Account, data);
  await em.persist(account).flush();
  return remember(em, account);
}

/** Whether the current transaction holds the lock of an account. */
export function isAccountLocked(em: Pick<EntityManager, 'getTransactionContext'>, userId: string): boolean {
  const transaction = em.getTransactionContext<object>();
  return transaction !== undefined && lockedIn.get(transaction)?.has(userId) === true;
}

/**
 * Refuses an account that another transaction locked: it may have changed since. For functions that write by SQL.
 *
 * @throws Error such a use case is a bug
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
  // Read once: reading again would undo what was written since and is not flushed yet.
  const missing = lock === 'change' ? ids.filter((id) => !locked.has(id)) : [...ids];
  if (missing.length > 0) {
    const select = `select * from account where id = any(?::uuid[]) order by id ${ROW_LOCKS[lock]}`;
    const rows = await em.execute<object[]>(select, [em.getPlatform().marshallArray(missing)]);
    for (const row of rows) remember(em, em.map(Account, row));
  }
  return locked;
}

function remember(em: EntityManager, account: Account): LockedAccount {
  // The one place where the brand is given.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion
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
