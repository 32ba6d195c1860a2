import type { EntityManager } from '@mikro-orm/postgresql';
import { statement, transactionOf } from '../../database/index.js';
import { UnauthenticatedError } from '../../errors/index.js';

const LOCK_ACTIVE_ACCOUNT = statement<object>(
  'lock_active_account',
  `
  select 1 from account where id = $1 and disabled_at is null for share`,
);

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
  const found = await transactionOf(em).query(LOCK_ACTIVE_ACCOUNT, [userId]);
  if (found.length === 0) throw new UnauthenticatedError('TOKEN_REVOKED');
}
