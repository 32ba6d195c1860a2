import type { EntityManager } from '@mikro-orm/postgresql';
import { lockAddresses, type AddressToProve, type Clock, type InvitedMemberships } from '../../accounts/index.js';
import { inTransaction, statement, transactionOf, type Queryable } from '../../database/index.js';
import { closeInvitation } from '../invitations/close-invitation.js';
import { Invitation, UNANSWERED } from '../invitations/invitation.entity.js';
import type { Group } from '../model/group.entity.js';
import { Member } from '../model/member.entity.js';
import { GroupLedger } from '../transaction/group-ledger.js';
import { lockGroups, type GroupWriteDeps } from '../transaction/with-locked-group.js';

/** Groups per transaction; limits its locks and rows. */
const MAX_GROUPS = 100;

/** The status condition lets PostgreSQL use the partial indexes of unanswered invitations. */
const INVITED_MEMBERSHIPS = statement<{ readonly groupId: string }>(
  'invited_memberships',
  `
  select i.group_id as "groupId" from invitation i join member m on m.group_id = i.group_id and m.user_id = $1
  where i.email_key = $2 and i.status in ('OPEN', 'LAPSED') order by i.group_id limit $3`,
);

/**
 * Implements `WithInvitedMemberships`.
 *
 * Finds the groups before it enters their write queues, and again in the transaction. A group that was added in
 * between is locked without its queue.
 */
export async function withInvitedMemberships<T>(
  { database, clock, writeQueue }: GroupWriteDeps,
  address: AddressToProve,
  work: (em: EntityManager, memberships: InvitedMemberships) => Promise<T>,
): Promise<T> {
  return writeQueue.runOnAll(await findGroupIds(database, address, MAX_GROUPS), () =>
    inTransaction(database, async (em) => work(em, await lockInvitedMemberships(em, clock, address))),
  );
}

/**
 * Locks the groups that a user is a member of and that have an unanswered invitation to an address that the user is
 * about to prove. Locks at most 100 groups, in ascending order of id.
 *
 * Lock order: these groups, then the user's account (exclusively), then the address.
 *
 * @param otherGroupId another group that the transaction locks; null for none
 */
export async function lockInvitedMemberships(
  em: EntityManager,
  clock: Clock,
  address: AddressToProve,
  otherGroupId: string | null = null,
): Promise<InvitedMemberships> {
  const found = await findGroupIds(transactionOf(em), address, MAX_GROUPS);
  const groups = await lockGroups(em, otherGroupId === null ? found : [...found, otherGroupId]);
  const lockedIds = new Set(groups.map(({ id }) => id));
  return {
    lockAddress: async () => {
      await lockAddresses(em, [address.emailKey]);
      // The statement below does not flush the unit of work.
      await em.flush();
      const currentIds = await findGroupIds(transactionOf(em), address, lockedIds.size + 1);
      return currentIds.every((id) => lockedIds.has(id));
    },
    consume: () => consumeAll(em, groups, address, clock.now()),
  };
}

async function findGroupIds(on: Queryable, { userId, emailKey }: AddressToProve, limit: number): Promise<string[]> {
  const rows = await on.query(INVITED_MEMBERSHIPS, [userId, emailKey, limit]);
  return rows.map(({ groupId }) => groupId);
}

/** Records one revision per group, as a claim by secret does. */
async function consumeAll(
  em: EntityManager,
  groups: readonly Group[],
  { userId, emailKey }: AddressToProve,
  now: Date,
): Promise<void> {
  if (groups.length === 0) return;
  const groupId = { $in: groups.map(({ id }) => id) };
  const members = new Map((await em.find(Member, { userId, groupId })).map((member) => [member.groupId, member]));
  const invitations = await em.find(Invitation, { emailKey, groupId, status: { $in: [...UNANSWERED] } });
  const byGroup = new Map(invitations.map((invitation) => [invitation.groupId, invitation]));
  for (const group of groups) {
    const [member, invitation] = [members.get(group.id), byGroup.get(group.id)];
    if (member !== undefined && invitation !== undefined)
      markClaimed(GroupLedger.inUnitOfWork(em, group, { actorId: userId, apiKey: null }, now), member, invitation);
  }
}

/** Marks an invitation as claimed by a user who is a member already, as a separate revision. */
export function markClaimed(ledger: GroupLedger, member: Member, invitation: Invitation): void {
  ledger.record({ cause: 'JOINED', subjectId: member.userId, status: member.status }, ({ counts }) => {
    closeInvitation(counts, invitation, 'CLAIMED');
  });
}
