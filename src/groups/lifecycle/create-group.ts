import type { EntityManager } from '@mikro-orm/postgresql';
import {
  findIdempotentResult,
  lockIdempotencyKey,
  newId,
  readResultId,
  requireActiveAccount,
  requireAuthenticated,
  requireUser,
  saveIdempotentResult,
  type Actor,
  type IdempotencyDeps,
  type IdempotentOperation,
} from '../../accounts/index.js';
import { inTransaction } from '../../database/index.js';
import { getGroup, type GetGroupDeps } from '../access/get-group.js';
import { toGroupView, toMemberView } from '../model/group-view.js';
import { Group } from '../model/group.entity.js';
import { Member } from '../model/member.entity.js';
import { adjustCounts } from '../model/response-counts.js';
import { GroupLedger, toChangeAuthor } from '../transaction/group-ledger.js';
import type { GroupPayload } from '../transaction/with-locked-group.js';
import { validateGroupFields, type GroupFields } from './group-fields.js';
import { scheduleDeadlineTask } from './record-deadline.js';

export interface CreateGroupParams extends GroupFields {
  readonly name: string;
}

interface CreateGroupDeps extends GetGroupDeps, IdempotencyDeps {}

/**
 * Creates a group with the caller as owner, whose response is ACCEPTED. The group has revision 1.
 *
 * A repeated request with the same Idempotency-Key returns the group of the first one, in its current state.
 *
 * @param operation null without an Idempotency-Key
 * @throws UnauthenticatedError when the caller is anonymous, or the account was deleted or disabled
 * @throws InvalidInputError `INVALID_INPUT` with all invalid fields
 * @throws ForbiddenError `SCOPE_REQUIRED` for an API client
 */
export async function createGroup(
  deps: CreateGroupDeps,
  actor: Actor,
  params: CreateGroupParams,
  operation: IdempotentOperation | null = null,
): Promise<GroupPayload> {
  requireAuthenticated(actor);
  const storedResult = await findIdempotentResult(deps, operation);
  if (storedResult !== null) return { group: await getGroup(deps, actor, readResultId(storedResult, 'groupId')) };
  const now = deps.clock.now();
  const fields = validateGroupFields(params, now);
  const creator = requireUser(actor);
  return inTransaction(deps.database, async (em) => {
    await requireActiveAccount(em, creator.userId);
    await lockIdempotencyKey(em, deps, operation);
    const group = newGroup(fields, now);
    GroupLedger.inUnitOfWork(em, group, toChangeAuthor(creator), now).record(
      { cause: 'CREATED', subjectId: creator.userId, status: 'ACCEPTED' },
      ({ counts }) => adjustCounts(counts, null, 'ACCEPTED'),
    );
    em.persist(group);
    scheduleDeadlineTask(em, group, now);
    await saveIdempotentResult(em, deps, operation, { storedResult: { groupId: group.id }, accountId: creator.userId });
    const owner = createOwner(em, group.id, creator.userId, now);
    return { group: toGroupView(group, now, { viewerMembership: toMemberView(owner), compatibilityScore: null }) };
  });
}

function newGroup({ name, description, quorum, respondBy }: CreateGroupParams, now: Date): Group {
  return Object.assign(new Group(), {
    id: newId(),
    name,
    description: description ?? null,
    quorum: quorum ?? null,
    respondBy: respondBy ?? null,
    state: 'FORMING',
    stateChangedAt: now,
    createdAt: now,
    revision: 0,
    answersRevision: 0,
  } satisfies Partial<Group>);
}

function createOwner(em: EntityManager, groupId: string, userId: string, now: Date): Member {
  const owner = em.create(Member, {
    groupId,
    userId,
    role: 'OWNER',
    status: 'ACCEPTED',
    invitedAt: now,
    respondedAt: now,
    revision: 1,
  });
  em.persist(owner);
  return owner;
}
