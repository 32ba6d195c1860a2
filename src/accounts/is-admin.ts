import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Whether the account may do what administrators may, read from its row within the caller's transaction.
 *
 * The row cannot be deleted before that transaction ends, so that what it writes may name the account.
 */
export async function isAdmin(em: EntityManager, userId: string): Promise<boolean> {
  const found = await em.execute(
    `select 1 from account where id = ? and 'ADMIN' = any(roles) and disabled_at is null for key share`,
    [userId],
  );
  return found.length > 0;
}
