import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Takes transaction-level advisory locks on addresses. All callers lock in the same order, so that they do not
 * deadlock.
 *
 * The lock serializes an invitation to an address and the verification of that address.
 *
 * @param emailKeys as returned by `emailKey`
 */
export async function lockAddresses(em: EntityManager, emailKeys: readonly string[]): Promise<void> {
  const keys = em.getPlatform().marshallArray([...new Set(emailKeys)].sort());
  await em.execute('select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(?::text[]) as key', [keys]);
}
