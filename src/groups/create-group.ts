import type { EntityManager } from '@mikro-orm/postgresql';
import { type Actor, newId, requireActiveAccount, requireKnown, requireUser } from '../accounts/index.js';
import { inTransaction } from '../database/index.js';
import type { GroupsDeps } from './deps.js';
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
 * @throws UnauthenticatedError when nobody is signed in, or the account is gone
 * @throws InvalidInputError `INVALID_INPUT` naming every faulty field
 * @throws ForbiddenError `SCOPE_REQUIRED` for a program
 */
export async function createGroup(
  deps: Pick<GroupsDeps, 'database' | 'clock'>,
  actor: Actor,
  input: CreateGroupInput,
): Promise<GroupPayload> {
  requireKnown(actor);
  const now = deps.clock.now();
  const fields = checkGroupFields(input, now);
  const creator = requireUser(actor);
  return inTransaction(deps.database, async (em) => {
    await requireActiveAccount(em, creator.userId);
    const group = newGroup(fields, now);
    new GroupLedger(em, group, authorOf(creator), now).record(
      { cause: 'CREATED', subjectId: creator.userId, status: 'ACCEPTED' },
      ({ counts }) => recount(counts, null, 'ACCEPTED'),
    );
    // At once: the unit of work knows of no relation by which to write the group before what refers to it.
    await em.insert(group);
    oweDeadline(em, group, now);
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
