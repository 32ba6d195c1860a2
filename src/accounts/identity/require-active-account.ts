import type { EntityManager } from '@mikro-orm/postgresql';
import { UnauthenticatedError } from '../../errors/index.js';

/**
 * Requires that the caller's account exists and is not disabled. Takes a `FOR SHARE` row lock, so that this holds until
 * the transaction ends.
 *
 * @throws UnauthenticatedError `TOKEN_REVOKED`
 *
 * Reason: a token stays accepted for up to 1 s after its account is disabled or deleted, until every process has
 * learned of the revocation.
 */
export async function requireActiveAccount(em: EntityManager, userId: string): Promise<void> {
  const found = await em.execute('select 1 from account where id = ? and disabled_at is null for share', [userId]);
  if (found.length === 0) throw new UnauthenticatedError('TOKEN_REVOKED');
}
