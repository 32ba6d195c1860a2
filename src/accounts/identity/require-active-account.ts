import type { EntityManager } from '@mikro-orm/postgresql';
import { UnauthenticatedError } from '../../errors/index.js';

/**
 * Requires that the caller's account exists and is not disabled, and keeps it so until the transaction ends.
 *
 * A token outlives its account by up to a second, the time in which nodes hear of a revocation.
 *
 * @throws UnauthenticatedError `TOKEN_REVOKED`
 */
export async function requireActiveAccount(em: EntityManager, userId: string): Promise<void> {
  const found = await em.execute('select 1 from account where id = ? and disabled_at is null for share', [userId]);
  if (found.length === 0) throw new UnauthenticatedError('TOKEN_REVOKED');
}
