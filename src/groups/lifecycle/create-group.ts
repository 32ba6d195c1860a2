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
  type IdempotentOperation,
} from '../../accounts/index.js';
import { inTransaction } from '../../database/index.js';
import { getGroup } from '../access/get-group.js';
import type { GroupsDeps } from '../deps.js';
import { toGroupView } from '../model/group-view.js';
import { Group } from '../model/group.entity.js';
import { toMemberView } from '../model/member-view.js';
import { Member } from '../model/member.entity.js';
import { adjustCounts } from '../model/response-counts.js';
import { GroupLedger, toChangeAuthor } from '../transaction/group-ledger.js';
import type { GroupPayload } from '../transaction/group-payload.js';
import { validateGroupFields, type GroupFields } from './group-fields.js';
import { scheduleDeadlineTask } from './record-deadline.js';

export interface CreateGroupParams extends GroupFields {
  readonly name: string;
}

/**
 * Makes a group with its creator as its owner, who has accepted: revision 1.
 *
 * The same request under the same Idempotency-Key gives the same group again, as it is by then.
 *
 * @throws UnauthenticatedError when nobody is signed in, or the account is gone
 * @throws InvalidInputError `INVALID_INPUT` naming every faulty field
 * @throws ForbiddenError `SCOPE_REQUIRED` for a program
 */
export async function createGroup(
  deps: GroupsDeps,
  actor: Actor,
  input: CreateGroupParams,
  repeatable: IdempotentOperation | null = null,
): Promise<GroupPayload> {
  requireAuthenticated(actor);
  const made = await findIdempotentResult(deps, repeatable);
  if (made !== null) return { group: await getGroup(deps, actor, readResultId(made, 'groupId')) };
  const now = deps.clock.now();
  const fields = validateGroupFields(input, now);
  const creator = requireUser(actor);
  return inTransaction(deps.database, async (em) => {
    await requireActiveAccount(em, creator.userId);
    await lockIdempotencyKey(em, deps, repeatable);
    const group = newGroup(fields, now);
    new GroupLedger(em, group, toChangeAuthor(creator), now).record(
      { cause: 'CREATED', subjectId: creator.userId, status: 'ACCEPTED' },
      ({ counts }) => adjustCounts(counts, null, 'ACCEPTED'),
    );
    em.persist(group);
    scheduleDeadlineTask(em, group, now);
    await saveIdempotentResult(em, deps, repeatable, { made: { groupId: group.id }, accountId: creator.userId });
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
