import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionOf, unnamedStatement } from '../../database/index.js';
import { closeInvitation } from '../invitations/close-invitation.js';
import { erasedAddressKey } from '../invitations/erased-address.js';
import { Invitation, UNANSWERED } from '../invitations/invitation.entity.js';
import { hasOtherMemberSql } from '../membership/require-another-owner.js';
import type { Group } from '../model/group.entity.js';
import { Member } from '../model/member.entity.js';
import { adjustCounts } from '../model/response-counts.js';
import { GroupLedger, SYSTEM_AUTHOR } from '../transaction/group-ledger.js';
import { lockGroups } from '../transaction/with-locked-group.js';
import { deletionEffectOn, type DeletionEffect } from './deletion-effect.js';
import { removeGroup } from './remove-group.js';

/** Rows of a deleted account in one group. */
interface GroupFootprint {
  readonly group: Group;
  readonly membership: Member | undefined;
  /** Unanswered invitations to the account's erased address. */
  readonly invitations: readonly Invitation[];
}

interface OtherMembersRow {
  readonly id: string;
  readonly hasOtherMember: boolean;
  readonly hasOtherOwner: boolean;
}

const OTHER_MEMBERS = unnamedStatement<OtherMembersRow>(`
  select g.id, ${hasOtherMemberSql('g.id', '$2')} as "hasOtherMember",
    ${hasOtherMemberSql('g.id', '$2', 'OWNER')} as "hasOtherOwner"
  from unnest($1::uuid[]) as g (id)`);

interface SuccessorRow {
  readonly groupId: string;
  readonly userId: string;
}

const SUCCESSORS = unnamedStatement<SuccessorRow>(`
  select successor.group_id as "groupId", successor.user_id as "userId" from unnest($1::uuid[]) as g (id)
  cross join lateral (
    select m.* from member m join account a on a.id = m.user_id and a.deleted_at is null
    where m.group_id = g.id and m.user_id <> $2 order by m.invited_at, m.user_id limit 1
  ) successor`);

/**
 * Removes a deleted account from groups, in the caller's transaction, under the groups' row locks. The history records
 * that a member left without naming the account. Does nothing in groups without rows of the account.
 *
 * A group without another member is deleted; of a large one only a part of its rows. When the group has other members
 * but no other owner, its longest-standing member becomes owner; members can join after the decision to delete.
 */
export async function leaveGroups(
  em: EntityManager,
  userId: string,
  groupIds: readonly string[],
  now: Date,
): Promise<void> {
  const groups = await lockGroups(em, groupIds);
  const footprints = await findFootprints(em, userId, groups);
  const effects = await findEffects(em, userId, footprints);
  const ownerless = groups
    .map(({ id }) => id)
    .filter((id) => ['BLOCK_DELETION', 'TRANSFER_OWNERSHIP'].includes(effects.get(id) ?? ''));
  const successors = await findSuccessors(em, userId, ownerless);
  for (const footprint of footprints) {
    const { group } = footprint;
    if (effects.get(group.id) === 'DELETE_GROUP') await removeGroup(em, group, now);
    else leaveGroup(em, footprint, successors.get(group.id), now);
  }
}

async function findFootprints(em: EntityManager, userId: string, groups: readonly Group[]): Promise<GroupFootprint[]> {
  const groupId = { $in: groups.map(({ id }) => id) };
  const members = await em.find(Member, { userId, groupId });
  const invitations = await em.find(Invitation, {
    emailKey: erasedAddressKey(userId),
    groupId,
    status: { $in: [...UNANSWERED] },
  });
  const memberByGroup = new Map(members.map((member) => [member.groupId, member]));
  return groups.map((group) => ({
    group,
    membership: memberByGroup.get(group.id),
    invitations: invitations.filter((invitation) => invitation.groupId === group.id),
  }));
}

/** @returns effects by group id */
async function findEffects(
  em: EntityManager,
  userId: string,
  footprints: readonly GroupFootprint[],
): Promise<Map<string, DeletionEffect>> {
  const rows = await transactionOf(em).query(OTHER_MEMBERS, [footprints.map(({ group }) => group.id), userId]);
  const others = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    footprints.map(({ group, membership }) => {
      const { hasOtherMember = false, hasOtherOwner = false } = others.get(group.id) ?? {};
      const role = membership?.role ?? null;
      const isCancelled = group.cancelledAt !== null;
      return [group.id, deletionEffectOn({ isCancelled, role, hasOtherMember, hasOtherOwner })];
    }),
  );
}

/** @returns the longest-standing other member of each group whose account exists, by group id */
async function findSuccessors(
  em: EntityManager,
  userId: string,
  groupIds: readonly string[],
): Promise<Map<string, Member>> {
  if (groupIds.length === 0) return new Map();
  const successors = await transactionOf(em).query(SUCCESSORS, [groupIds, userId]);
  const members = await em.find(Member, { $or: successors });
  return new Map(members.map((member) => [member.groupId, member]));
}

/** The system is the author: the account's id would be erased with the account. */
function leaveGroup(
  em: EntityManager,
  { group, membership, invitations }: GroupFootprint,
  successor: Member | undefined,
  now: Date,
): void {
  const ledger = GroupLedger.inUnitOfWork(em, group, SYSTEM_AUTHOR, now);
  if (successor !== undefined) transferOwnership(ledger, successor);
  if (membership !== undefined) {
    ledger.record({ cause: 'ACCOUNT_DELETED' }, ({ counts }) => {
      adjustCounts(counts, membership.status, null);
    });
    em.remove(membership);
  }
  for (const invitation of invitations) {
    ledger.record({ cause: 'INVITATION_REVOKED' }, ({ counts }) => {
      closeInvitation(counts, invitation, 'REVOKED');
    });
    em.remove(invitation);
  }
}

/** Runs before the membership ends, so that no revision of the group is without an owner. */
function transferOwnership(ledger: GroupLedger, successor: Member): void {
  ledger.record({ cause: 'ROLE_CHANGED', subjectId: successor.userId, status: successor.status }, () => undefined);
  successor.role = 'OWNER';
  successor.revision += 1;
}
