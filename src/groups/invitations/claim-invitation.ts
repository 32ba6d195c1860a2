import type { EntityManager } from '@mikro-orm/postgresql';
import {
  acceptProofOfEmail, type Actor, type Clock, readLinkSecret, requireActiveAccount, requireKnown, requireUser, requireVerifiedEmail,
} from '../../accounts/index.js';
import { inTransaction } from '../../database/index.js';
import { ConflictError, InvalidFields, NotFoundError } from '../../errors/index.js';
import { findMembers, type GroupUnderLock, lockGroup } from '../change-group.js';
import type { GroupsDeps } from '../deps.js';
import { isPastDeadline } from '../group-state.js';
import { memberView, type MemberView } from '../member-view.js';
import { Member } from '../member.entity.js';
import { recount, type ResponseStatus } from '../response-counts.js';
import { closeInvitation } from './close-invitation.js';
import { Invitation, isClaimable } from './invitation.entity.js';

export interface ClaimInvitationInput {
  /** The secret from the mailed link. */
  readonly secret?: string | null | undefined;
  /** An invitation from one's own inbox, where the secret is not at hand. */
  readonly invitationId?: string | null | undefined;
  /** PENDING takes the place and leaves the answer for later. */
  readonly status: ResponseStatus;
}

/** Which invitation is claimed, and by what right. */
export type ClaimRight = { readonly id: string; readonly issue: number } | { readonly id: string; readonly issue: null };

export interface Claim {
  readonly userId: string;
  readonly right: ClaimRight;
  readonly status: ResponseStatus;
}

/**
 * Turns an invitation into the caller's place in its group, with their answer: by the mailed secret, whoever presents it,
 * or from the inbox of a verified address.
 *
 * Who is a member already just uses it up. Declining makes a DECLINED member.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws InvalidInputError `INVALID_INPUT` unless exactly one of secret and invitationId is given
 * @throws NotFoundError `INVITATION_NOT_FOUND` when it was used, replaced or revoked, has expired, or is not the caller's
 * @throws ConflictError `RESPONSES_CLOSED` past the deadline, unless declining
 */
export async function claimInvitation(
  deps: Pick<GroupsDeps, 'database' | 'clock' | 'serverSecret'>,
  actor: Actor,
  input: ClaimInvitationInput,
): Promise<{ readonly member: MemberView }> {
  requireKnown(actor);
  checkOneRight(input);
  const { userId } = requireUser(actor);
  const right = rightOf(deps, input);
  return inTransaction(deps.database, async (em) => {
    await requireActiveAccount(em, userId);
    const member = await claimWithin(em, deps.clock, { userId, right, status: input.status });
    return { member: memberView(member) };
  });
}

function checkOneRight({ secret = null, invitationId = null }: ClaimInvitationInput): void {
  const isOne = (secret === null) !== (invitationId === null);
  new InvalidFields().check('secret', isOne ? null : 'must be given, or else invitationId, but not both').throwIfAny();
}

function rightOf({ serverSecret }: Pick<GroupsDeps, 'serverSecret'>, { secret, invitationId }: ClaimInvitationInput): ClaimRight {
  const right = invitationId == null ? readLinkSecret(serverSecret, 'invitation', secret ?? '') : { id: invitationId, issue: null };
  if (right === null) throw new NotFoundError('INVITATION_NOT_FOUND');
  return right;
}

/**
 * Claims within the caller's transaction.
 *
 * @throws NotFoundError `INVITATION_NOT_FOUND`
 * @throws ConflictError `RESPONSES_CLOSED`
 */
export async function claimWithin(em: EntityManager, clock: Clock, claim: Claim): Promise<Member> {
  const found = await em.findOne(Invitation, claim.right.id);
  if (found === null) throw new NotFoundError('INVITATION_NOT_FOUND');
  const locked = await lockGroup(em, found.groupId, { actorId: claim.userId, apiKey: null }, clock);
  // Read anew: it may have been claimed, or replaced, while the lock was waited for.
  await em.refresh(found);
  await requireRight(locked, found, claim);
  const present = (await findMembers(em, found.groupId, [claim.userId])).get(claim.userId);
  return present === undefined ? join(locked, found, claim) : useUp(locked, found, present);
}

async function requireRight({ em, now }: GroupUnderLock, invitation: Invitation, { userId, right }: Claim): Promise<void> {
  const isOwn = right.issue === null ? (await requireVerifiedEmail(em, userId)) === invitation.emailKey : right.issue === invitation.issue;
  if (!isOwn || !isClaimable(invitation, now)) throw new NotFoundError('INVITATION_NOT_FOUND');
  if (right.issue !== null) await acceptProofOfEmail(em, userId, invitation.emailKey, now);
}

function join({ em, group, ledger, now }: GroupUnderLock, invitation: Invitation, { userId, status }: Claim): Member {
  if (isPastDeadline(group, now) && status !== 'DECLINED') throw new ConflictError('RESPONSES_CLOSED');
  const declines = status === 'DECLINED';
  ledger.record({ cause: declines ? 'INVITATION_DECLINED' : 'JOINED', subjectId: userId, status }, ({ counts }) => {
    closeInvitation(counts, invitation, declines ? 'DECLINED' : 'CLAIMED');
    recount(counts, null, status);
  });
  const member = em.create(Member, {
    groupId: group.id, userId, role: 'MEMBER', status, invitedById: invitation.invitedById, invitedAt: now,
    respondedAt: status === 'PENDING' ? null : now, revision: 1,
  });
  em.persist(member);
  return member;
}

function useUp({ ledger }: GroupUnderLock, invitation: Invitation, member: Member): Member {
  ledger.record({ cause: 'JOINED', subjectId: member.userId, status: member.status }, ({ counts }) => {
    closeInvitation(counts, invitation, 'CLAIMED');
  });
  return member;
}
