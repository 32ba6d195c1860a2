import type { EntityManager } from '@mikro-orm/postgresql';
import { lockAccount } from '../../src/accounts/index.js';
import { revokeSessions } from '../../src/accounts/revocation/revoke-sessions.js';

/**
 * Revokes the sessions of an account, except for one if given, as a use case would.
 *
 * @returns their ids
 */
export async function revokeSessionsOf(
  em: EntityManager,
  userId: string,
  now: Date,
  exceptSessionId?: string,
): Promise<string[]> {
  const account = await lockAccount(em, userId);
  if (account === null) throw new Error(`There is no account ${userId}`);
  return revokeSessions(em, { account, exceptSessionId }, now);
}
