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
  type IdempotentOperation,
  type UserView,
} from '../../accounts/index.js';
import type { OutboxTask } from '../../database/index.js';
import { ConflictError } from '../../errors/index.js';
import { requireOwner } from '../access/authorization.js';
import type { GroupsDeps } from '../deps.js';
import { toInvitationView, type InvitationView } from '../invitations/invitation-view.js';
import type { Invitation } from '../invitations/invitation.entity.js';
import { PersonalInvitations } from '../invitations/personal-invitations.js';
import { isPastDeadline } from '../model/group-state.js';
import { toMemberView, type MemberView } from '../model/member-view.js';
import { Member } from '../model/member.entity.js';
import { adjustCounts } from '../model/response-counts.js';
import type { GroupPayload } from '../transaction/group-payload.js';
import {
  findMembers,
  toCallerGroupView,
  withLockedGroup,
  type AuthorizedGroupTransaction,
} from '../transaction/with-locked-group.js';
import { EmailInviter } from './email-inviter.js';
import { lockMailing } from './invitation-mail-budget.js';
import { parseInvitees, type Invitee, type InviteeParams } from './invitee-params.js';
import { restoreInviteResult, toStoredOutcomes } from './stored-invite-outcomes.js';

export const INVITE_OUTCOMES = ['INVITED', 'ALREADY_MEMBER', 'USER_NOT_FOUND', 'INVITATION_SENT'] as const;
export type InviteOutcome = (typeof INVITE_OUTCOMES)[number];

export interface InviteToGroupParams {
  readonly groupId: string;
  /** 1 to 500. */
  readonly invitees: readonly InviteeParams[];
}

/** What became of one invitee. */
export interface InviteResult {
  readonly outcome: InviteOutcome;
  /** Null when there is no such user, and for an address, also that of a member. */
  readonly member: MemberView | null;
  /** Null but for an address that was offered a place. */
  readonly invitation: InvitationView | null;
}

export interface InviteToGroupResult extends GroupPayload {
  /** In the order of the input. */
  readonly results: readonly InviteResult[];
}

/**
 * Makes people members who have yet to answer, and offers places to addresses; each has an outcome of their own, and
 * each newcomer is a revision.
 *
 * A user who is a member already, also when named by their verified address, or who is named twice, stays as they are:
 * inviting again changes nothing. A user who becomes a member uses up the group's invitation to their verified address. However
 * many are invited, the number of statements stays the same but for the rows that are inserted in blocks.
 *
 * The same request under the same Idempotency-Key gives the same outcomes again.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws InvalidInputError `INVALID_INPUT` for none or too many invitees, or one that is not named in exactly one way
 * @throws NotFoundError `GROUP_NOT_FOUND`
 * @throws ForbiddenError `OWNER_REQUIRED`, `SCOPE_REQUIRED`; `EMAIL_NOT_VERIFIED` for addresses
 * @throws RateLimitedError for addresses
 * @throws ConflictError `GROUP_CANCELLED`, `RESPONSES_CLOSED` past the deadline; both only when somebody would be invited
 */
export async function inviteToGroup(
  deps: GroupsDeps,
  actor: Actor,
  input: InviteToGroupParams,
  repeatable: IdempotentOperation | null = null,
): Promise<InviteToGroupResult> {
  const known = requireAuthenticated(actor);
  const invitees = parseInvitees(input.invitees);
  const made = await findIdempotentResult(deps, repeatable);
  const resolved = await resolveInvitees(deps, invitees);
  const { invited, mails } = await withLockedGroup(deps, known, input, async (tx) => {
    if (made !== null) return { invited: await restoreInviteResult(tx, made), mails: [] };
    await lockIdempotencyKey(tx.em, deps, repeatable);
    const done = await inviteAll(tx, deps.invitationMailQuotas, resolved);
    await saveIdempotentResult(tx.em, deps, repeatable, {
      storedResult: toStoredOutcomes(done.invited),
      accountId: known.kind === 'user' ? known.userId : null,
    });
    return done;
  });
  deps.dispatchTasks(mails.map(({ id }) => id));
  return invited;
}

/** Null stands for a person who does not exist. */
type ResolvedInvitee = { readonly userId: string } | { readonly email: string } | null;

/** Before the group is locked: unknown names are only looked up, and take nothing of the time in which others wait. */
async function resolveInvitees(
  deps: Pick<GroupsDeps, 'database'>,
  invitees: readonly Invitee[],
): Promise<ResolvedInvitee[]> {
  const people = await resolveUsernames(
    deps,
    invitees.flatMap((invitee) => ('email' in invitee ? [] : [invitee])),
  );
  const nextPerson = people.values();
  return invitees.map((invitee) => ('email' in invitee ? invitee : (nextPerson.next().value ?? null)));
}

async function inviteAll(
  tx: AuthorizedGroupTransaction,
  quotas: GroupsDeps['invitationMailQuotas'],
  invitees: readonly ResolvedInvitee[],
): Promise<{ invited: InviteToGroupResult; mails: readonly OutboxTask[] }> {
  const { actor } = await requireOwner(tx.caller);
  const userIds = invitees.flatMap((invitee) => (invitee !== null && 'userId' in invitee ? [invitee.userId] : []));
  const emails = invitees.flatMap((invitee) => (invitee !== null && 'email' in invitee ? [invitee.email] : []));
  if (emails.length > 0) await requireVerifiedEmail(tx.em, actor.userId);
  const users = await loadInvitees(tx, userIds);
  const newcomers = [...users.keys()].filter((id) => !tx.members.has(id));
  const emailKeys = [...new Set(emails.map(emailKey))];
  if (emails.length > 0) await lockMailing(tx.em, { inviterId: actor.userId, emailKeys });
  const invitations = await PersonalInvitations.load(tx, { userIds: newcomers, emailKeys });
  if (newcomers.length > 0 || emailKeys.some((key) => !invitations.isMemberAddress(key))) requireOpen(tx);
  const addresses = await EmailInviter.for(tx, { inviterId: actor.userId, emailKeys, quotas, invitations });
  const inviting = { tx, invitedById: actor.userId, invitations };
  const results = invitees.map((invitee) => {
    if (invitee !== null && 'email' in invitee) return sentTo(addresses.invite(invitee.email));
    return inviteOne(inviting, users.get(invitee?.userId ?? '') ?? null);
  });
  return { invited: { group: toCallerGroupView(tx), results }, mails: addresses.mails };
}

/** By id, those who exist. Their accounts cannot be deleted before the commit. */
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
  for (const [id, member] of await findMembers(em, group.id, [...users.keys()])) members.set(id, member);
  return users;
}

function requireOpen({ group, now }: AuthorizedGroupTransaction): void {
  if (group.cancelledAt !== null) throw new ConflictError('GROUP_CANCELLED');
  if (isPastDeadline(group, now)) throw new ConflictError('RESPONSES_CLOSED');
}

/** Whoever has or has not that address, the answer is the same, unless it is the verified address of a member: null. */
function sentTo(invitation: Invitation | null): InviteResult {
  if (invitation === null) return { outcome: 'ALREADY_MEMBER', member: null, invitation: null };
  return { outcome: 'INVITATION_SENT', member: null, invitation: toInvitationView(invitation) };
}

interface Inviting {
  readonly tx: AuthorizedGroupTransaction;
  readonly invitedById: string;
  readonly invitations: PersonalInvitations;
}

function inviteOne({ tx, invitedById, invitations }: Inviting, user: UserView | null): InviteResult {
  if (user === null) return { outcome: 'USER_NOT_FOUND', member: null, invitation: null };
  const present = tx.members.get(user.id);
  if (present !== undefined)
    return { outcome: 'ALREADY_MEMBER', member: toMemberView(present, user), invitation: null };
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
