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
  type ServerSecret,
} from '../../accounts/index.js';
import { retry, type RetryPolicy } from '../../async/retry.js';
import { inTransaction, statement, transactionOf } from '../../database/index.js';
import { ConflictError, DomainError, FieldErrorCollector } from '../../errors/index.js';
import { closeInvitation } from '../invitations/close-invitation.js';
import { isClaimable, type Invitation } from '../invitations/invitation.entity.js';
import {
  findGroupOfInvitation,
  invitationNotFound,
  lockInvitation,
  type InvitationTransaction,
} from '../invitations/lock-invitation.js';
import { PersonalInvitations } from '../invitations/personal-invitations.js';
import { isPastDeadline } from '../model/group-state.js';
import { toMemberView, type MemberView } from '../model/group-view.js';
import { Member } from '../model/member.entity.js';
import { adjustCounts, type ResponseStatus } from '../model/response-counts.js';
import type { GroupTurn } from '../transaction/group-write-queue.js';
import { findMembersByUserId, type GroupWriteDeps } from '../transaction/with-locked-group.js';
import { lockInvitedMemberships, markClaimed } from './lock-invited-memberships.js';

export interface ClaimInvitationParams {
  /** The secret from the mailed link; null or absent to claim from the inbox. */
  readonly secret?: string | null | undefined;
  /** An invitation from the caller's inbox; null or absent to claim by secret. */
  readonly invitationId?: string | null | undefined;
  /** The new member's response; PENDING to respond later. */
  readonly status: ResponseStatus;
}

/** What authorizes a claim: the mailed link, by its issue, or the claimer's verified address when `issue` is null. */
interface ClaimAuthorization {
  readonly id: string;
  readonly issue: number | null;
}

export interface InvitationClaim {
  readonly userId: string;
  readonly right: ClaimAuthorization;
  readonly status: ResponseStatus;
}

interface ClaimInvitationDeps extends GroupWriteDeps {
  readonly serverSecret: ServerSecret;
}

/**
 * Another account has verified the claimer's address concurrently. The second attempt proves no address.
 */
const EMAIL_TAKEN_POLICY: RetryPolicy = {
  maxAttempts: 2,
  delayMs: () => 0,
  isRetryable: (error) => error instanceof DomainError && error.reason === 'EMAIL_TAKEN',
};

/**
 * Claims an invitation: makes the caller a member of its group, with the given response. The mailed secret authorizes
 * any user; without it, the caller's verified address must be the invited one.
 *
 * For a caller who is a member already, the invitation is only marked as claimed. A claim also marks the group's
 * invitation to the claimer's verified address as claimed.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws InvalidInputError `INVALID_INPUT` unless exactly one of `secret` and `invitationId` is given
 * @throws NotFoundError `INVITATION_NOT_FOUND` when it was claimed, declined, replaced or revoked, has expired, or the
 *   caller is not authorized
 * @throws ConflictError `RESPONSES_CLOSED` after the deadline, unless `status` is DECLINED
 * @throws UnavailableError `OVERLOADED` when too many writers of the group wait
 */
export async function claimInvitation(
  deps: ClaimInvitationDeps,
  actor: Actor,
  params: ClaimInvitationParams,
): Promise<{ readonly member: MemberView }> {
  requireAuthenticated(actor);
  validateClaim(params);
  const { userId } = requireUser(actor);
  const claim = { userId, right: authorizationOf(deps, params), status: params.status };
  const groupId = await findGroupOfInvitation(deps, claim.right.id);
  if (groupId === null) throw invitationNotFound();
  const member = await retry(EMAIL_TAKEN_POLICY, () =>
    deps.writeQueue.run(groupId, (turn) =>
      inTransaction(deps.database, (em) => claimInTransaction(em, turn, deps.clock, claim)),
    ),
  );
  return { member: toMemberView(member) };
}

function validateClaim({ secret = null, invitationId = null }: ClaimInvitationParams): void {
  const isOne = (secret === null) !== (invitationId === null);
  new FieldErrorCollector()
    .check('secret', isOne ? null : 'must be given, or else invitationId, but not both')
    .throwIfAny();
}

function authorizationOf(
  { serverSecret }: ClaimInvitationDeps,
  { secret, invitationId }: ClaimInvitationParams,
): ClaimAuthorization {
  if (invitationId != null) return { id: invitationId, issue: null };
  const link = verifyLinkSecret(serverSecret, 'invitation', secret ?? '');
  if (link === null) throw invitationNotFound();
  return { id: link.id, issue: link.version };
}

/**
 * Claims an invitation in the caller's transaction. Changes nothing when it throws.
 *
 * @param turn turn of the group that `findGroupOfInvitation` returned
 * @throws UnauthenticatedError when the claimer's account was deleted
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
  // Lock order: group before account.
  const account = await requireLockedAccount(em, userId, memberships === null ? 'change' : 'exclusive');
  const { invitation, now } = tx;
  if (!isClaimable(invitation, now) || !isAuthorized(invitation, account, right)) throw invitationNotFound();
  const existing = (await findMembersByUserId(em, invitation.groupId, [userId])).get(userId);
  const member = existing ?? (await addMember(tx, claim));
  if (existing !== undefined) markClaimed(tx.ledger, existing, invitation);
  if (memberships !== null) await verifyClaimedAddress(em, memberships, account, invitation.emailKey, now);
  return member;
}

/**
 * Verifies the claimer's address, and marks the invitations to it of the claimer's other groups as claimed. Does
 * nothing when these are too many for one transaction; the mailed verification link still verifies the address then.
 */
async function verifyClaimedAddress(
  em: EntityManager,
  memberships: InvitedMemberships,
  account: LockedAccount,
  emailKey: string,
  now: Date,
): Promise<void> {
  if (!(await memberships.lockAddress())) return;
  if (await markEmailVerified(em, account, emailKey, now)) await memberships.consume();
}

const PROVABLE_ADDRESS = statement<{ readonly groupId: string; readonly emailKey: string }>(
  'provable_address',
  `
  select i.group_id as "groupId", i.email_key as "emailKey"
  from invitation i join account a on a.email_key = i.email_key
  where i.id = $1 and a.id = $2 and a.email_verified_at is null`,
);

/**
 * Locks the groups that have the claimer as a member and an invitation to the address that the mailed secret proves.
 *
 * @returns null when the claim proves no address of the claimer's account
 */
async function lockProvableMemberships(
  em: EntityManager,
  clock: Clock,
  { userId, right }: InvitationClaim,
): Promise<InvitedMemberships | null> {
  if (right.issue === null) return null;
  const [provable] = await transactionOf(em).query(PROVABLE_ADDRESS, [right.id, userId]);
  return provable === undefined
    ? null
    : lockInvitedMemberships(em, clock, { userId, emailKey: provable.emailKey }, provable.groupId);
}

function isAuthorized({ emailKey, issue }: Invitation, account: LockedAccount, right: ClaimAuthorization): boolean {
  return right.issue === null ? verifiedEmailKeyOf(account) === emailKey : right.issue === issue;
}

async function addMember(tx: InvitationTransaction, { userId, status }: InvitationClaim): Promise<Member> {
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

/**
 * Finds the inviter and locks the account (`FOR KEY SHARE`), because an inviter who has left the group can be deleted
 * without the group's lock.
 *
 * @returns null when the inviter's account was deleted
 */
async function findInviter(em: EntityManager, { invitedById }: Invitation): Promise<string | null> {
  if (invitedById === null) return null;
  const [inviter] = await findUsers(em, [{ userId: invitedById }]);
  return inviter?.id ?? null;
}
