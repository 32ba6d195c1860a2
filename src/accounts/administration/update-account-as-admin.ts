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

/** What is done to an account, in a transaction that holds its lock; gives the sessions that ended. */
export type AccountUpdate = (
  em: EntityManager,
  account: LockedAccount,
  facts: { readonly adminId: string | null; readonly now: Date },
) => Promise<string[]>;

/**
 * Changes somebody else's account.
 *
 * Nobody does this to themselves, and both accounts are locked, in ascending order: of two administrators who put each
 * other out at the same moment one stays, so there is always an administrator left.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin` says
 * @throws InvalidInputError `INVALID_INPUT` for oneself
 * @throws NotFoundError `USER_NOT_FOUND`
 */
export async function updateAccountAsAdmin(
  deps: UpdateAccountAsAdminDeps,
  by: AdminActor,
  userId: string,
  change: AccountUpdate,
): Promise<AccountView> {
  if ((await requireAdmin(deps, by)) === userId)
    throw new InvalidInputError([{ field: 'userId', message: 'must not be your own' }]);
  const { view, revokedSessionIds } = await inTransaction(deps.database, async (em) => {
    const locked = await lockAccounts(em, by.kind === 'user' ? [by.userId, userId] : [userId]);
    const adminId = await requireAdminInTransaction(em, by);
    const account = locked.get(userId);
    if (account === undefined || account.deletedAt !== null) throw new NotFoundError('USER_NOT_FOUND');
    const sessions = await change(em, account, { adminId, now: deps.clock.now() });
    return { view: toAccountView(account), revokedSessionIds: sessions };
  });
  deps.revocations.publish(revokedSessionIds);
  return view;
}
