import type { EntityManager } from '@mikro-orm/postgresql';
import { statement, transactionOf } from '../../database/index.js';
import { ForbiddenError } from '../../errors/index.js';
import { requireUser, type Actor } from './actor.js';
import { getViewer, type GetViewerDeps } from './get-viewer.js';

/** The operator: runs CLI commands on the host, with direct database access and without an account. */
export const OPERATOR = { kind: 'operator' } as const;

/** The caller of an administrative use case. */
export type AdminActor = Actor | typeof OPERATOR;

/**
 * Requires an administrator or the operator.
 *
 * @returns the id of the administrator's account; null for the operator
 * @throws UnauthenticatedError with the reason why the token was rejected; `TOKEN_REVOKED` when the account is deleted
 *   or disabled
 * @throws ForbiddenError `ADMIN_REQUIRED`; `SCOPE_REQUIRED` for an API client
 */
export async function requireAdmin(deps: GetViewerDeps, actor: AdminActor): Promise<string | null> {
  if (actor.kind === 'operator') return null;
  const { id, roles } = await getViewer(deps, actor);
  if (!roles.includes('ADMIN')) throw new ForbiddenError('ADMIN_REQUIRED');
  return id;
}

const LOCK_ADMIN = statement<object>(
  'lock_admin',
  `
  select 1 from account where id = $1 and 'ADMIN' = any(roles) and disabled_at is null for share`,
);

/**
 * Whether the account has administrator rights, read under a `FOR SHARE` row lock. A concurrent demotion, disabling or
 * deletion of the account waits until the caller's transaction ends.
 */
export async function isAdmin(em: EntityManager, userId: string): Promise<boolean> {
  return (await transactionOf(em).query(LOCK_ADMIN, [userId])).length > 0;
}

/** The same check inside the transaction that uses the right, under the lock that `isAdmin` takes. */
export async function requireAdminInTransaction(em: EntityManager, actor: AdminActor): Promise<string | null> {
  if (actor.kind === 'operator') return null;
  const { userId } = requireUser(actor);
  if (!(await isAdmin(em, userId))) throw new ForbiddenError('ADMIN_REQUIRED');
  return userId;
}
