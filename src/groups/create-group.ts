import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type Actor, claimKey, findMade, idIn, keepMade, newId, type RepeatableRequest, requireActiveAccount, requireKnown, requireUser,
} from '../accounts/index.js';
import { inTransaction } from '../database/index.js';
import type { GroupsDeps } from './deps.js';
import { getGroup } from './get-group.js';
import { checkGroupFields, type GroupFields } from './group-input.js';
import { authorOf, GroupLedger } from './group-ledger.js';
import type { GroupPayload } from './group-payload.js';
import { groupView } from './group-view.js';
import { Group } from './group.entity.js';
import { memberView } from './member-view.js';
import { Member } from './member.entity.js';
import { oweDeadline } from './record-deadline.js';
import { recount } from './response-counts.js';

export interface CreateGroupInput extends GroupFields {
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
  input: CreateGroupInput,
  repeatable: RepeatableRequest | null = null,
): Promise<GroupPayload> {
  requireKnown(actor);
  const made = await findMade(deps, repeatable);
  if (made !== null) return { group: await getGroup(deps, actor, idIn(made, 'groupId')) };
  const now = deps.clock.now();
  const fields = checkGroupFields(input, now);
  const creator = requireUser(actor);
  return inTransaction(deps.database, async (em) => {
    await requireActiveAccount(em, creator.userId);
    await claimKey(em, deps, repeatable);
    const group = newGroup(fields, now);
    new GroupLedger(em, group, authorOf(creator), now).record(
      { cause: 'CREATED', subjectId: creator.userId, status: 'ACCEPTED' },
      ({ counts }) => recount(counts, null, 'ACCEPTED'),
    );
    // At once: the unit of work knows of no relation by which to write the group before what refers to it.
    await em.insert(group);
    oweDeadline(em, group, now);
    await keepMade(em, deps, repeatable, { made: { groupId: group.id }, accountId: creator.userId });
    const owner = createOwner(em, group.id, creator.userId, now);
    return { group: groupView(group, now, { viewerMembership: memberView(owner), compatibilityScore: null }) };
  });
}

function newGroup({ name, description, quorum, respondBy }: CreateGroupInput, now: Date): Group {
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
