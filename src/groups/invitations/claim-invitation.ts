import type { EntityManager } from '@mikro-orm/postgresql';
import {
  findUsers,
  markEmailVerified,
  requireAuthenticated,
  requireLockedAccount,
  requireUser,
  verifiedEmailKeyOf,
  verifyLinkSecret,
  type Actor,
  type Clock,
  type InvitedMemberships,
  type LockedAccount,
} from '../../accounts/index.js';
import { inTransaction } from '../../database/index.js';
import { ConflictError, DomainError, FieldErrorCollector } from '../../errors/index.js';
import type { GroupsDeps } from '../deps.js';
import { isPastDeadline } from '../model/group-state.js';
import { toMemberView, type MemberView } from '../model/member-view.js';
import { Member } from '../model/member.entity.js';
import { adjustCounts, type ResponseStatus } from '../model/response-counts.js';
import type { GroupTurn } from '../transaction/group-write-queue.js';
import { findMembers } from '../transaction/with-locked-group.js';
import { closeInvitation } from './close-invitation.js';
import { invitationNotFound } from './invitation-not-found.js';
import { isClaimable, type Invitation } from './invitation.entity.js';
import { findGroupOfInvitation, lockInvitation, type InvitationTransaction } from './lock-invitation.js';
import { consumeOne, lockInvitedMemberships } from './lock-invited-memberships.js';
import { PersonalInvitations } from './personal-invitations.js';

export interface ClaimInvitationParams {
  /** The secret from the mailed link. */
  readonly secret?: string | null | undefined;
  /** An invitation from one's own inbox, where the secret is not at hand. */
  readonly invitationId?: string | null | undefined;
  /** PENDING takes the place and leaves the answer for later. */
  readonly status: ResponseStatus;
}

/** By what right an invitation is claimed: the link that was mailed, by its issue, or, when that is null, one's verified address. */
export interface ClaimAuthorization {
  readonly id: string;
  readonly issue: number | null;
}

export interface InvitationClaim {
  readonly userId: string;
  readonly right: ClaimAuthorization;
  readonly status: ResponseStatus;
}

/**
 * Turns an invitation into the caller's place in its group, with their answer: by the mailed secret, whoever presents it,
 * or from the inbox of a verified address.
 *
 * Who is a member already just uses it up. Declining makes a DECLINED member. A claim uses up the group's invitation to the
 * claimer's verified address too.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws InvalidInputError `INVALID_INPUT` unless exactly one of secret and invitationId is given
 * @throws NotFoundError `INVITATION_NOT_FOUND` when it was used, replaced or revoked, has expired, or is not the caller's
 * @throws ConflictError `RESPONSES_CLOSED` past the deadline, unless declining
 * @throws UnavailableError `OVERLOADED` when too many writers of the group wait
 */
export async function claimInvitation(
  deps: Pick<GroupsDeps, 'database' | 'clock' | 'serverSecret' | 'writeQueue'>,
  actor: Actor,
  input: ClaimInvitationParams,
): Promise<{ readonly member: MemberView }> {
  requireAuthenticated(actor);
  checkOneRight(input);
  const { userId } = requireUser(actor);
  const claim = { userId, right: rightOf(deps, input), status: input.status };
  const groupId = await findGroupOfInvitation(deps, claim.right.id);
  if (groupId === null) throw invitationNotFound();
  const member = await retryOnEmailTaken(() =>
    deps.writeQueue.run(groupId, (turn) =>
      inTransaction(deps.database, (em) => claimInTransaction(em, turn, deps.clock, claim)),
    ),
  );
  return { member: toMemberView(member) };
}

function checkOneRight({ secret = null, invitationId = null }: ClaimInvitationParams): void {
  const isOne = (secret === null) !== (invitationId === null);
  new FieldErrorCollector()
    .check('secret', isOne ? null : 'must be given, or else invitationId, but not both')
    .throwIfAny();
}

function rightOf(
  { serverSecret }: Pick<GroupsDeps, 'serverSecret'>,
  { secret, invitationId }: ClaimInvitationParams,
): ClaimAuthorization {
  if (invitationId != null) return { id: invitationId, issue: null };
  const link = verifyLinkSecret(serverSecret, 'invitation', secret ?? '');
  if (link === null) throw invitationNotFound();
  return { id: link.id, issue: link.version };
}

/** Somebody else verified the claimer's address at the very moment: it is not the claimer's to prove any more, and the claim stands without it. */
async function retryOnEmailTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'EMAIL_TAKEN') return work();
    throw error;
  }
}

/**
 * Claims within the caller's transaction. A refusal has changed nothing.
 *
 * @throws UnauthenticatedError when the claimer's account is gone
 * @throws NotFoundError `INVITATION_NOT_FOUND`
 * @throws ConflictError `RESPONSES_CLOSED`
 */
export async function claimInTransaction(
  em: EntityManager,
  turn: GroupTurn,
  clock: Clock,
  claim: InvitationClaim,
): Promise<Member> {
  const { userId, right } = claim;
  const memberships = await lockProvableMemberships(em, clock, claim);
  const tx = await lockInvitation(em, turn, right.id, { author: { actorId: userId, apiKey: null }, clock });
  if (tx === null) throw invitationNotFound();
  // After the group, as everyone does who locks both.
  const account = await requireLockedAccount(em, userId, memberships === null ? 'change' : 'exclusive');
  const { invitation, now } = tx;
  if (!isClaimable(invitation, now) || !isAuthorized(invitation, account, right)) throw invitationNotFound();
  const present = (await findMembers(em, invitation.groupId, [userId])).get(userId);
  const member = present ?? (await join(tx, claim));
  if (present !== undefined) consumeOne(tx.ledger, present, invitation);
  if (memberships !== null) await acceptProof(em, memberships, account, invitation.emailKey, now);
  return member;
}

/**
 * Verifies the claimer's own address, and uses up the invitations to it of other groups that have the claimer as a member. Does
 * nothing when these are more than one transaction takes; the link that was mailed to the address still verifies it then.
 */
async function acceptProof(
  em: EntityManager,
  memberships: InvitedMemberships,
  account: LockedAccount,
  emailKey: string,
  now: Date,
): Promise<void> {
  if (!(await memberships.lockAddress())) return;
  if (await markEmailVerified(em, account, emailKey, now)) await memberships.consume();
}

const PROVABLE_ADDRESS = `
  select i.group_id as "groupId", i.email_key as "emailKey"
  from invitation i join account a on a.email_key = i.email_key
  where i.id = ? and a.id = ? and a.email_verified_at is null`;

/**
 * Locks the groups in which the claim uses up an invitation, because the mailed secret proves the claimer's own address.
 *
 * @returns null when the claim proves no address
 */
async function lockProvableMemberships(
  em: EntityManager,
  clock: Clock,
  { userId, right }: InvitationClaim,
): Promise<InvitedMemberships | null> {
  if (right.issue === null) return null;
  const [provable] = await em.execute<{ groupId: string; emailKey: string }[]>(PROVABLE_ADDRESS, [right.id, userId]);
  return provable === undefined
    ? null
    : lockInvitedMemberships(em, clock, { userId, emailKey: provable.emailKey }, provable.groupId);
}

function isAuthorized({ emailKey, issue }: Invitation, account: LockedAccount, right: ClaimAuthorization): boolean {
  return right.issue === null ? verifiedEmailKeyOf(account) === emailKey : right.issue === issue;
}

async function join(tx: InvitationTransaction, { userId, status }: InvitationClaim): Promise<Member> {
  const { em, group, ledger, now, invitation } = tx;
  if (isPastDeadline(group, now) && status !== 'DECLINED') throw new ConflictError('RESPONSES_CLOSED');
  const invitedById = await findInviter(em, invitation);
  const invitations = await PersonalInvitations.load(tx, { userIds: [userId] });
  const declines = status === 'DECLINED';
  ledger.record({ cause: declines ? 'INVITATION_DECLINED' : 'JOINED', subjectId: userId, status }, ({ counts }) => {
    closeInvitation(counts, invitation, declines ? 'DECLINED' : 'CLAIMED');
    adjustCounts(counts, null, status);
    invitations.consume(userId, counts);
  });
  const member = em.create(Member, {
    groupId: group.id,
    userId,
    role: 'MEMBER',
    status,
    invitedById,
    invitedAt: now,
    respondedAt: status === 'PENDING' ? null : now,
    revision: 1,
  });
  em.persist(member);
  return member;
}

/** Held, as every account that is found, until the commit: an inviter who has left the group can be deleted without its lock. */
async function findInviter(em: EntityManager, { invitedById }: Invitation): Promise<string | null> {
  if (invitedById === null) return null;
  const [inviter] = await findUsers(em, [{ userId: invitedById }]);
  return inviter?.id ?? null;
}
