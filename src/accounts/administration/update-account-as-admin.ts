import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction, type Database } from '../../database/index.js';
import { InvalidInputError, NotFoundError } from '../../errors/index.js';
import { requireAdmin, requireAdminInTransaction, type AdminActor } from '../identity/admin-guard.js';
import type { GetViewerDeps } from '../identity/get-viewer.js';
import { lockAccounts, type LockedAccount } from '../identity/locked-account.js';
import type { Clock } from '../ports/clock.js';
import type { RevocationRegistry } from '../revocation/revocation-registry.js';
import { toAccountView, type AccountView } from './account-view.js';

export interface UpdateAccountAsAdminDeps extends GetViewerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly revocations: RevocationRegistry;
}

/**
 * Change of an account, in the transaction that holds its row lock. Returns the ids of the sessions that it revoked.
 */
export type AccountUpdate = (
  em: EntityManager,
  account: LockedAccount,
  context: { readonly adminId: string | null; readonly now: Date },
) => Promise<string[]>;

/**
 * Changes the account of another user.
 *
 * Administrators cannot change their own account, and both accounts are locked in ascending order of their ids. Of two
 * administrators who disable each other concurrently one succeeds, so an administrator always remains.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin`
 * @throws InvalidInputError `INVALID_INPUT` for the caller's own account
 * @throws NotFoundError `USER_NOT_FOUND`
 */
export async function updateAccountAsAdmin(
  deps: UpdateAccountAsAdminDeps,
  actor: AdminActor,
  userId: string,
  update: AccountUpdate,
): Promise<AccountView> {
  if ((await requireAdmin(deps, actor)) === userId)
    throw new InvalidInputError([{ field: 'userId', message: 'must not be your own' }]);
  const { view, revokedSessionIds } = await inTransaction(deps.database, async (em) => {
    const locked = await lockAccounts(em, actor.kind === 'user' ? [actor.userId, userId] : [userId]);
    const adminId = await requireAdminInTransaction(em, actor);
    const account = locked.get(userId);
    if (account === undefined || account.deletedAt !== null) throw new NotFoundError('USER_NOT_FOUND');
    const sessions = await update(em, account, { adminId, now: deps.clock.now() });
    return { view: toAccountView(account), revokedSessionIds: sessions };
  });
  deps.revocations.publish(revokedSessionIds);
  return view;
}
