import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type Account, type AccountsDeps, type Actor, type Client, type Clock, confirmPassword, eraseAccount, getViewer, lockAccountToErase, requireUser,
} from '../../accounts/index.js';
import { inTransaction } from '../../database/index.js';
import { UnavailableError } from '../../errors/index.js';
import { Group } from '../group.entity.js';
import { Invitation } from '../invitations/invitation.entity.js';
import { InvitationMail } from '../invitations/invitation-mail.entity.js';
import { concernedGroups } from './concerned-groups.js';
import { leaveWithAccount } from './leave-with-account.js';

type DeletionDeps = Pick<AccountsDeps, 'database' | 'reads' | 'clock' | 'hasher' | 'limits' | 'serverSecret' | 'revocations'>;

/** Between two looks somebody may have put the account into another group, but not so often. */
const MOST_TRIES = 5;

/**
 * Erases the caller's account with everything that is held about it, in one transaction.
 *
 * It leaves its groups, whose states follow. Groups that nobody else is in go with it; cancelled ones without another
 * owner go on in the hands of whoever has been in them longest. Unanswered invitations to its verified address are
 * taken back, those that it sent stay without an inviter. Its tokens are dead at once, its username is free.
 *
 * @throws UnauthenticatedError the token's own problem; `WRONG_CREDENTIALS` for the password
 * @throws ForbiddenError `SCOPE_REQUIRED` for a program
 * @throws RateLimitedError after too many wrong passwords
 * @throws ConflictError `SOLE_OWNER_OF_GROUPS`: `previewDeletion` names them; nothing has happened then
 * @throws UnavailableError
 */
export async function deleteAccount(deps: DeletionDeps, actor: Actor, password: string, client: Client): Promise<{ readonly deletedUserId: string }> {
  const { userId } = requireUser(actor);
  const viewer = await getViewer(deps, actor);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const confirmedHash = await confirmPassword(deps, viewer, { password, client });
    const ended = await inTransaction(deps.database, (em) => tryToErase(em, deps.clock, userId, confirmedHash));
    if (ended === null) continue;
    deps.revocations.announce(ended);
    return { deletedUserId: userId };
  }
  throw new UnavailableError('OVERLOADED');
}

/**
 * The groups are locked in ascending order, and the account after them, as every writer does who takes both.
 *
 * @returns the sessions that ended; null when the password or the groups were others by the time that all was locked
 */
async function tryToErase(em: EntityManager, clock: Clock, userId: string, confirmedHash: string): Promise<string[] | null> {
  const groups = await lockGroups(em, await findConcerned(em, userId));
  const account = await lockAccountToErase(em, userId, confirmedHash);
  if (account === null) return null;
  const locked = new Set(groups.map(({ id }) => id));
  if ((await findConcerned(em, userId)).some((id) => !locked.has(id))) return null;
  const now = clock.now();
  await leaveWithAccount(em, { account, groups, now });
  // Before the account, which its places and answers refer to.
  await em.flush();
  await eraseAddress(em, account);
  return eraseAccount(em, account, now);
}

async function findConcerned(em: EntityManager, userId: string): Promise<string[]> {
  const rows = await em.execute<{ group_id: string }[]>(concernedGroups('?'), [userId, userId]);
  return rows.map(({ group_id: id }) => id);
}

async function lockGroups(em: EntityManager, ids: readonly string[]): Promise<Group[]> {
  if (ids.length === 0) return [];
  return em.find(Group, { id: { $in: [...ids] } }, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** What was asked of a verified address and answered, and what was mailed to it. An unverified one may be somebody else's. */
async function eraseAddress(em: EntityManager, { emailKey, emailVerifiedAt }: Account): Promise<void> {
  if (emailKey === null || emailVerifiedAt === null) return;
  await em.nativeDelete(Invitation, { emailKey, status: { $in: ['CLAIMED', 'DECLINED', 'REVOKED'] } });
  await em.nativeDelete(InvitationMail, { emailKey });
}
