import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Whether the account may do what administrators may, read from its row within the caller's transaction.
 *
 * The role cannot be taken away, nor the account disabled or deleted, before that transaction ends.
 */
export async function isAdmin(em: EntityManager, userId: string): Promise<boolean> {
  const found = await em.execute(
    `select 1 from account where id = ? and 'ADMIN' = any(roles) and disabled_at is null for share`,
    [userId],
  );
  return found.length > 0;
}
