import type { EntityManager } from '@mikro-orm/postgresql';
import { statement, transactionOf } from '../../database/index.js';

const LOCK_ADDRESSES = statement<object>(
  'lock_addresses',
  `
  select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest($1::text[]) as key`,
);

/**
 * Takes transaction-level advisory locks on addresses. All callers lock in the same order, so that they do not
 * deadlock.
 *
 * The lock serializes an invitation to an address and the verification of that address.
 *
 * @param emailKeys as returned by `emailKey`
 */
export async function lockAddresses(em: EntityManager, emailKeys: readonly string[]): Promise<void> {
  await transactionOf(em).query(LOCK_ADDRESSES, [[...new Set(emailKeys)].sort()]);
}
