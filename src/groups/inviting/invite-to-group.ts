import type { EntityManager } from '@mikro-orm/postgresql';
import {
  emailKey,
  findIdempotentResult,
  findUsers,
  lockIdempotencyKey,
  requireAuthenticated,
  requireVerifiedEmail,
  resolveUsernames,
  saveIdempotentResult,
  type Actor,
  type IdempotencyDeps,
  type IdempotentOperation,
  type UserView,
} from '../../accounts/index.js';
import type { OutboxTask } from '../../database/index.js';
import { ConflictError } from '../../errors/index.js';
import { requireOwner } from '../access/authorization.js';
import { toInvitationView } from '../invitations/invitation-view.js';
import type { Invitation } from '../invitations/invitation.entity.js';
import { PersonalInvitations } from '../invitations/personal-invitations.js';
import { isPastDeadline } from '../model/group-state.js';
import { toMemberView } from '../model/group-view.js';
import { Member } from '../model/member.entity.js';
import { adjustCounts } from '../model/response-counts.js';
import {
  findMembersByUserId,
  toCallerGroupView,
  withLockedGroup,
  type AuthorizedGroupTransaction,
  type GroupWriteDeps,
} from '../transaction/with-locked-group.js';
import { EmailInviter } from './email-inviter.js';
import { lockMailing, type InvitationMailLimits } from './invitation-mail-budget.js';
import { restoreInviteResult, toStoredOutcomes, type InviteResult, type InviteToGroupResult } from './invite-result.js';
import { parseInvitees, type Invitee, type InviteeParams } from './invitee-params.js';

export interface InviteToGroupParams {
  readonly groupId: string;
  /** 1 to 500. */
  readonly invitees: readonly InviteeParams[];
}

interface InviteToGroupDeps extends GroupWriteDeps, IdempotencyDeps {
  /** Null for no limits. */
  readonly invitationMailQuotas: InvitationMailLimits | null;
  /** Called after the commit with the ids of the enqueued mail tasks. */
  readonly dispatchTasks: (taskIds: readonly string[]) => void;
}

/**
 * Adds users to a group as members with status PENDING, and sends invitations to email addresses. Each invitee has an
 * outcome; each new member or invitation is one revision.
 *
 * Does not change existing members, also when they are named by their verified address or twice. The group's
 * invitation to a new member's verified address is marked as claimed. The number of statements does not depend on the
 * number of invitees, apart from multi-row inserts.
 *
 * A repeated request with the same Idempotency-Key returns the outcomes of the first one.
 *
 * @param operation null without an Idempotency-Key
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws InvalidInputError `INVALID_INPUT` for a wrong number of invitees, or an invitee not named in exactly one way
 * @throws NotFoundError `GROUP_NOT_FOUND`
 * @throws ForbiddenError `OWNER_REQUIRED`, `SCOPE_REQUIRED`; `EMAIL_NOT_VERIFIED` when inviting addresses
 * @throws RateLimitedError when the invitation mails exceed the inviter's limit
 * @throws ConflictError `GROUP_CANCELLED`, or `RESPONSES_CLOSED` after the deadline; only when there is a new invitee
 */
export async function inviteToGroup(
  deps: InviteToGroupDeps,
  actor: Actor,
  params: InviteToGroupParams,
  operation: IdempotentOperation | null = null,
): Promise<InviteToGroupResult> {
  const authenticated = requireAuthenticated(actor);
  const invitees = parseInvitees(params.invitees);
  const storedResult = await findIdempotentResult(deps, operation);
  const resolved = await resolveInvitees(deps, invitees);
  const { result, mails } = await withLockedGroup(deps, authenticated, params, async (tx) => {
    if (storedResult !== null) return { result: await restoreInviteResult(tx, storedResult), mails: [] };
    await lockIdempotencyKey(tx.em, deps, operation);
    const invited = await inviteAll(tx, deps.invitationMailQuotas, resolved);
    await saveIdempotentResult(tx.em, deps, operation, {
      storedResult: toStoredOutcomes(invited.result),
      accountId: authenticated.kind === 'user' ? authenticated.userId : null,
    });
    return invited;
  });
  deps.dispatchTasks(mails.map(({ id }) => id));
  return result;
}

/** Null for a user who does not exist. */
type ResolvedInvitee = { readonly userId: string } | { readonly email: string } | null;

/** Runs before the group is locked, so that looking up usernames does not prolong the lock. */
async function resolveInvitees(deps: GroupWriteDeps, invitees: readonly Invitee[]): Promise<ResolvedInvitee[]> {
  const users = await resolveUsernames(
    deps,
    invitees.flatMap((invitee) => ('email' in invitee ? [] : [invitee])),
  );
  const nextUser = users.values();
  return invitees.map((invitee) => ('email' in invitee ? invitee : (nextUser.next().value ?? null)));
}

async function inviteAll(
  tx: AuthorizedGroupTransaction,
  quotas: InvitationMailLimits | null,
  invitees: readonly ResolvedInvitee[],
): Promise<{ result: InviteToGroupResult; mails: readonly OutboxTask[] }> {
  const { actor } = await requireOwner(tx.caller);
  const userIds = invitees.flatMap((invitee) => (invitee !== null && 'userId' in invitee ? [invitee.userId] : []));
  const emails = invitees.flatMap((invitee) => (invitee !== null && 'email' in invitee ? [invitee.email] : []));
  if (emails.length > 0) await requireVerifiedEmail(tx.em, actor.userId);
  const users = await loadInvitees(tx, userIds);
  const newUserIds = [...users.keys()].filter((id) => !tx.members.has(id));
  const emailKeys = [...new Set(emails.map(emailKey))];
  if (emails.length > 0) await lockMailing(tx.em, { inviterId: actor.userId, emailKeys });
  const invitations = await PersonalInvitations.load(tx, { userIds: newUserIds, emailKeys });
  if (newUserIds.length > 0 || emailKeys.some((key) => !invitations.isMemberAddress(key))) requireOpen(tx);
  const emailInviter = await EmailInviter.create(tx, { inviterId: actor.userId, emailKeys, quotas, invitations });
  const context = { tx, invitedById: actor.userId, invitations };
  const results = invitees.map((invitee) => {
    if (invitee !== null && 'email' in invitee) return toEmailResult(emailInviter.invite(invitee.email));
    return inviteUser(context, users.get(invitee?.userId ?? '') ?? null);
  });
  return { result: { group: toCallerGroupView(tx), results }, mails: emailInviter.mails };
}

/** Finds the existing users by id and locks their accounts (`FOR KEY SHARE`) against deletion until the commit. */
async function loadInvitees(
  { em, group, members }: AuthorizedGroupTransaction,
  userIds: readonly string[],
): Promise<Map<string, UserView>> {
  if (userIds.length === 0) return new Map();
  const found = await findUsers(
    em,
    userIds.map((userId) => ({ userId })),
  );
  const users = new Map(found.flatMap((user) => (user === null ? [] : [[user.id, user]])));
  for (const [id, member] of await findMembersByUserId(em, group.id, [...users.keys()])) members.set(id, member);
  return users;
}

function requireOpen({ group, now }: AuthorizedGroupTransaction): void {
  if (group.cancelledAt !== null) throw new ConflictError('GROUP_CANCELLED');
  if (isPastDeadline(group, now)) throw new ConflictError('RESPONSES_CLOSED');
}

/** @param invitation null for the verified address of a member; otherwise the result reveals nothing about accounts */
function toEmailResult(invitation: Invitation | null): InviteResult {
  if (invitation === null) return { outcome: 'ALREADY_MEMBER', member: null, invitation: null };
  return { outcome: 'INVITATION_SENT', member: null, invitation: toInvitationView(invitation) };
}

interface InvitingContext {
  readonly tx: AuthorizedGroupTransaction;
  readonly invitedById: string;
  readonly invitations: PersonalInvitations;
}

function inviteUser({ tx, invitedById, invitations }: InvitingContext, user: UserView | null): InviteResult {
  if (user === null) return { outcome: 'USER_NOT_FOUND', member: null, invitation: null };
  const existing = tx.members.get(user.id);
  if (existing !== undefined)
    return { outcome: 'ALREADY_MEMBER', member: toMemberView(existing, user), invitation: null };
  tx.ledger.record({ cause: 'INVITED', subjectId: user.id, status: 'PENDING' }, ({ counts }) => {
    adjustCounts(counts, null, 'PENDING');
    invitations.consume(user.id, counts);
  });
  const member = createMember(tx.em, { groupId: tx.group.id, userId: user.id, invitedById, invitedAt: tx.now });
  tx.members.set(user.id, member);
  return { outcome: 'INVITED', member: toMemberView(member, user), invitation: null };
}

function createMember(
  em: EntityManager,
  invitation: Pick<Member, 'groupId' | 'userId' | 'invitedById' | 'invitedAt'>,
): Member {
  const member = em.create(Member, { ...invitation, role: 'MEMBER', status: 'PENDING', revision: 1 });
  em.persist(member);
  return member;
}
