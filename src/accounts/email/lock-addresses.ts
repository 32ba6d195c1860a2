import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Takes transaction-level advisory locks on addresses, in one order for all callers, so that two calls never deadlock.
 *
 * An invitation to an address and the verification of that address exclude each other by this lock.
 *
 * @param emailKeys as `emailKey` gives them
 */
export async function lockAddresses(em: EntityManager, emailKeys: readonly string[]): Promise<void> {
  const keys = em.getPlatform().marshallArray([...new Set(emailKeys)].sort());
  await em.execute('select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(?::text[]) as key', [keys]);
}
