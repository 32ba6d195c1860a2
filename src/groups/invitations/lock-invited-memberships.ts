import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { lockAddresses, type AddressToProve, type Clock, type InvitedMemberships } from '../../accounts/index.js';
import { inTransaction, statement } from '../../database/index.js';
import type { GroupsDeps } from '../deps.js';
import { Group } from '../model/group.entity.js';
import { Member } from '../model/member.entity.js';
import { GroupLedger } from '../transaction/group-ledger.js';
import { closeInvitation } from './close-invitation.js';
import { Invitation, UNANSWERED } from './invitation.entity.js';

/** Bounds the locks and rows of one transaction. */
const MAX_GROUPS = 100;

/** The partial indexes on addresses hold unanswered invitations only. */
function invitedMembershipsSql(userId: string, emailKey: string, limit: string): string {
  return `
  select i.group_id as "groupId" from invitation i join member m on m.group_id = i.group_id and m.user_id = ${userId}
  where i.email_key = ${emailKey} and i.status in ('OPEN', 'LAPSED') order by i.group_id limit ${limit}`;
}

const IN_TRANSACTION = invitedMembershipsSql('?', '?', '?');
const INVITED_MEMBERSHIPS = statement<{ groupId: string }>(
  'invited_memberships',
  invitedMembershipsSql('$1', '$2', '$3'),
);

/**
 * Implements `WithInvitedMemberships`. The groups are found before the queues and again under their row locks: one that came
 * in between is locked without its queue.
 */
export async function withInvitedMemberships<T>(
  { database, clock, writeQueue }: Pick<GroupsDeps, 'database' | 'clock' | 'writeQueue'>,
  address: AddressToProve,
  work: (em: EntityManager, memberships: InvitedMemberships) => Promise<T>,
): Promise<T> {
  const found = await database.query(INVITED_MEMBERSHIPS, [address.userId, address.emailKey, MAX_GROUPS]);
  return writeQueue.runOnAll(
    found.map(({ groupId }) => groupId),
    () => inTransaction(database, async (em) => work(em, await lockInvitedMemberships(em, clock, address))),
  );
}

/**
 * Locks the groups that a user is a member of and that have an unanswered invitation to an address which the user is about to
 * prove: at most 100 of them, in ascending order of their ids.
 *
 * Lock order: these groups, then the user's account (exclusively), then the address.
 *
 * @param otherGroupId a group that the transaction locks besides; null for none
 */
export async function lockInvitedMemberships(
  em: EntityManager,
  clock: Clock,
  address: AddressToProve,
  otherGroupId: string | null = null,
): Promise<InvitedMemberships> {
  const found = await findGroupIds(em, address, MAX_GROUPS);
  const groups = await lockGroups(em, otherGroupId === null ? found : [...found, otherGroupId]);
  const tx = new Set(groups.map(({ id }) => id));
  return {
    lockAddress: async () => {
      await lockAddresses(em, [address.emailKey]);
      // The statement below does not flush the unit of work.
      await em.flush();
      const present = await findGroupIds(em, address, tx.size + 1);
      return present.every((id) => tx.has(id));
    },
    consume: () => consumeAll(em, groups, address, clock.now()),
  };
}

async function findGroupIds(em: EntityManager, { userId, emailKey }: AddressToProve, limit: number): Promise<string[]> {
  const rows = await em.execute<{ groupId: string }[]>(IN_TRANSACTION, [userId, emailKey, limit]);
  return rows.map(({ groupId }) => groupId);
}

async function lockGroups(em: EntityManager, ids: readonly string[]): Promise<Group[]> {
  if (ids.length === 0) return [];
  return em.find(
    Group,
    { id: { $in: [...new Set(ids)] } },
    { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
}

/** One revision for each group, as if the member had presented the invitation's secret. */
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
      consumeOne(new GroupLedger(em, group, { actorId: userId, apiKey: null }, now), member, invitation);
  }
}

/** Uses up an invitation to the address of a member, as a revision of its own. */
export function consumeOne(ledger: GroupLedger, member: Member, invitation: Invitation): void {
  ledger.record({ cause: 'JOINED', subjectId: member.userId, status: member.status }, ({ counts }) => {
    closeInvitation(counts, invitation, 'CLAIMED');
  });
}
