import type { EntityManager } from '@mikro-orm/postgresql';
import { ForbiddenError } from '../../errors/index.js';
import { requireUser, type Actor } from './actor.js';
import { getViewer, type GetViewerDeps } from './get-viewer.js';

/** Whoever runs commands on the service's own machine, where the database is open to them anyway: has no account. */
export const OPERATOR = { kind: 'operator' } as const;

/** Who does what administrators do. */
export type AdminActor = Actor | typeof OPERATOR;

/**
 * @returns the administrator's account; null for the operator
 * @throws UnauthenticatedError the token's own problem; `TOKEN_REVOKED` when the account is gone or disabled
 * @throws ForbiddenError `ADMIN_REQUIRED`; `SCOPE_REQUIRED` for a program
 */
export async function requireAdmin(deps: GetViewerDeps, by: AdminActor): Promise<string | null> {
  if (by.kind === 'operator') return null;
  const { id, roles } = await getViewer(deps, by);
  if (!roles.includes('ADMIN')) throw new ForbiddenError('ADMIN_REQUIRED');
  return id;
}

/**
 * Whether the account has administrator rights, read under a `FOR SHARE` row lock. A concurrent demotion, disabling or
 * deletion of the account waits until the caller's transaction ends.
 */
export async function isAdmin(em: EntityManager, userId: string): Promise<boolean> {
  const found = await em.execute<object[]>(
    `select 1 from account where id = ? and 'ADMIN' = any(roles) and disabled_at is null for share`,
    [userId],
  );
  return found.length > 0;
}

/** The same within the transaction that makes use of the right: nobody takes it away, or the account, before that ends. */
export async function requireAdminInTransaction(em: EntityManager, by: AdminActor): Promise<string | null> {
  if (by.kind === 'operator') return null;
  const { userId } = requireUser(by);
  if (!(await isAdmin(em, userId))) throw new ForbiddenError('ADMIN_REQUIRED');
  return userId;
}
