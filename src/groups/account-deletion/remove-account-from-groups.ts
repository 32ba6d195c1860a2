import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { closeInvitation } from '../invitations/close-invitation.js';
import { Invitation } from '../invitations/invitation.entity.js';
import { Group } from '../model/group.entity.js';
import { Member } from '../model/member.entity.js';
import { adjustCounts } from '../model/response-counts.js';
import { GroupLedger, SYSTEM_AUTHOR } from '../transaction/group-ledger.js';
import { deletionEffectOn, type DeletionEffect } from './deletion-effect.js';
import { erasedAddressKey } from './erased-address.js';
import { findSuccessors } from './find-successors.js';
import { hasOtherMemberSql } from './other-members.js';
import { removeGroup } from './remove-group.js';

/** What a group has of the deleted account. */
interface Traces {
  readonly group: Group;
  readonly place: Member | undefined;
  /** Those to its address that nobody has answered. */
  readonly invitations: readonly Invitation[];
}

interface OthersRow {
  readonly id: string;
  readonly has_member: boolean;
  readonly has_owner: boolean;
}

const OTHERS = `
  select g.id, ${hasOtherMemberSql('g.id', '?')} as has_member, ${hasOtherMemberSql('g.id', '?', 'OWNER')} as has_owner
  from unnest(?::uuid[]) as g (id)`;

/** Row locks in ascending order of id, as every writer takes them who locks several groups. */
export async function lockGroups(em: EntityManager, ids: readonly string[]): Promise<Group[]> {
  if (ids.length === 0) return [];
  return em.find(Group, { id: { $in: [...ids] } }, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE });
}

/**
 * Takes a deleted account out of groups, whose row locks this transaction takes. The history keeps that somebody left, but not
 * who. Does nothing in groups that have no trace of it any more.
 *
 * A group without another member is removed, or, when it is large, a part of its rows. A group that has other members and no
 * other owner, since they came after the decision, goes on in the hands of the member who has been in it longest.
 */
export async function leaveGroups(
  em: EntityManager,
  userId: string,
  groupIds: readonly string[],
  now: Date,
): Promise<void> {
  const groups = await lockGroups(em, groupIds);
  const traces = await findTraces(em, userId, groups);
  const fates = await findFates(em, userId, traces);
  const headless = groups.map(({ id }) => id).filter((id) => ['BLOCKS', 'HANDED_ON'].includes(fates.get(id) ?? ''));
  const heirs = await findSuccessors(em, userId, headless);
  for (const of of traces) {
    if (fates.get(of.group.id) === 'ENDS_TOO') await removeGroup(em, of.group, now);
    else leave(em, of, heirs.get(of.group.id), now);
  }
}

async function findTraces(em: EntityManager, userId: string, groups: readonly Group[]): Promise<Traces[]> {
  const groupId = { $in: groups.map(({ id }) => id) };
  const places = await em.find(Member, { userId, groupId });
  const invitations = await em.find(Invitation, {
    emailKey: erasedAddressKey(userId),
    groupId,
    status: { $in: ['OPEN', 'LAPSED'] },
  });
  const placeIn = new Map(places.map((place) => [place.groupId, place]));
  return groups.map((group) => ({
    group,
    place: placeIn.get(group.id),
    invitations: invitations.filter((invitation) => invitation.groupId === group.id),
  }));
}

/** By the group's id. */
async function findFates(
  em: EntityManager,
  userId: string,
  traces: readonly Traces[],
): Promise<Map<string, DeletionEffect>> {
  const ids = em.getPlatform().marshallArray(traces.map(({ group }) => group.id));
  const others = new Map((await em.execute<OthersRow[]>(OTHERS, [userId, userId, ids])).map((row) => [row.id, row]));
  return new Map(
    traces.map(({ group, place }) => {
      const { has_member: hasOtherMember = false, has_owner: hasOtherOwner = false } = others.get(group.id) ?? {};
      return [
        group.id,
        deletionEffectOn({
          isCancelled: group.cancelledAt !== null,
          role: place?.role ?? null,
          hasOtherMember,
          hasOtherOwner,
        }),
      ];
    }),
  );
}

/** Who did it is not written down, only to be forgotten with the account. */
function leave(
  em: EntityManager,
  { group, place, invitations }: Traces,
  successor: Member | undefined,
  now: Date,
): void {
  const ledger = new GroupLedger(em, group, SYSTEM_AUTHOR, now);
  if (successor !== undefined) transferOwnership(ledger, successor);
  if (place !== undefined) {
    ledger.record({ cause: 'ACCOUNT_DELETED' }, ({ counts }) => {
      adjustCounts(counts, place.status, null);
    });
    em.remove(place);
  }
  for (const invitation of invitations) {
    ledger.record({ cause: 'INVITATION_REVOKED' }, ({ counts }) => {
      closeInvitation(counts, invitation, 'REVOKED');
    });
    em.remove(invitation);
  }
}

/** First, so that there is no revision at which the group has no owner. */
function transferOwnership(ledger: GroupLedger, successor: Member): void {
  ledger.record({ cause: 'ROLE_CHANGED', subjectId: successor.userId, status: successor.status }, () => undefined);
  successor.role = 'OWNER';
  successor.revision += 1;
}
