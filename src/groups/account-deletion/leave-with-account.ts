import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/index.js';
import { ConflictError } from '../../errors/index.js';
import { CLOCK, GroupLedger } from '../group-ledger.js';
import type { Group } from '../group.entity.js';
import { closeInvitation } from '../invitations/close-invitation.js';
import { Invitation } from '../invitations/invitation.entity.js';
import { Member } from '../member.entity.js';
import { recount } from '../response-counts.js';
import { fateOf } from './fate.js';
import { findHeirs } from './find-heirs.js';

export interface Leaving {
  readonly account: Pick<Account, 'id' | 'emailKey' | 'emailVerifiedAt'>;
  /** All that it has to do with, locked, in ascending order of their ids. */
  readonly groups: readonly Group[];
  readonly now: Date;
}

/** What a group has of the account that leaves. */
interface Traces {
  readonly group: Group;
  readonly place: Member | undefined;
  /** Those to its address that nobody has answered. */
  readonly invitations: readonly Invitation[];
}

/**
 * Takes an account that is about to be erased out of its groups, in the transaction that holds the locks of all of them.
 * The history keeps that somebody left, but not who.
 *
 * @throws ConflictError `SOLE_OWNER_OF_GROUPS`
 */
export async function leaveWithAccount(em: EntityManager, { account, groups, now }: Leaving): Promise<void> {
  const traces = await findTraces(em, account, groups);
  const owned = await findOwnedByOthers(em, account.id, groups);
  const fates = traces.map((of) => ({
    ...of, fate: fateOf({ group: of.group, role: of.place?.role ?? null, hasOtherOwner: owned.has(of.group.id) }),
  }));
  if (fates.some(({ fate }) => fate === 'BLOCKS')) throw new ConflictError('SOLE_OWNER_OF_GROUPS');
  const handedOn = fates.flatMap(({ fate, group }) => (fate === 'HANDED_ON' ? [group.id] : []));
  const heirs = await findHeirs(em, account.id, handedOn);
  for (const { fate, ...of } of fates) {
    if (fate === 'ENDS_TOO') em.remove(of.group);
    else leave(em, of, heirs.get(of.group.id), now);
  }
}

async function findTraces(em: EntityManager, account: Leaving['account'], groups: readonly Group[]): Promise<Traces[]> {
  const groupId = { $in: groups.map(({ id }) => id) };
  const places = await em.find(Member, { userId: account.id, groupId });
  const address = account.emailVerifiedAt === null ? null : account.emailKey;
  const invitations = address === null ? [] : await em.find(Invitation, { emailKey: address, groupId, status: { $in: ['OPEN', 'LAPSED'] } });
  const placeIn = new Map(places.map((place) => [place.groupId, place]));
  return groups.map((group) => ({
    group,
    place: placeIn.get(group.id),
    invitations: invitations.filter((invitation) => invitation.groupId === group.id),
  }));
}

async function findOwnedByOthers(em: EntityManager, userId: string, groups: readonly Group[]): Promise<Set<string>> {
  const ids = em.getPlatform().marshallArray(groups.map(({ id }) => id));
  const rows = await em.execute<{ group_id: string }[]>(
    `select distinct group_id from member where group_id = any(?::uuid[]) and role = 'OWNER' and user_id <> ?`,
    [ids, userId],
  );
  return new Set(rows.map(({ group_id: id }) => id));
}

/** Who did it is not written down, only to be forgotten with the account. */
function leave(em: EntityManager, { group, place, invitations }: Traces, heir: Member | undefined, now: Date): void {
  const ledger = new GroupLedger(em, group, CLOCK, now);
  if (heir !== undefined) handOn(ledger, heir);
  if (place !== undefined) {
    ledger.record({ cause: 'ACCOUNT_DELETED' }, ({ counts }) => { recount(counts, place.status, null); });
    em.remove(place);
  }
  for (const invitation of invitations) {
    ledger.record({ cause: 'INVITATION_REVOKED' }, ({ counts }) => { closeInvitation(counts, invitation, 'REVOKED'); });
    em.remove(invitation);
  }
}

/** First, so that there is no revision at which the group has no owner. */
function handOn(ledger: GroupLedger, heir: Member): void {
  ledger.record({ cause: 'ROLE_CHANGED', subjectId: heir.userId, status: heir.status }, () => undefined);
  heir.role = 'OWNER';
  heir.revision += 1;
}
