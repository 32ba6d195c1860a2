import {
  findIdempotentResult,
  newId,
  readResultId,
  requireAuthenticated,
  requireUser,
  type Actor,
  type IdempotencyDeps,
  type IdempotentOperation,
} from '../../accounts/index.js';
import { getGroup, type GetGroupDeps } from '../access/get-group.js';
import { toGroupView, type MemberView, type StoredGroup } from '../model/group-view.js';
import { adjustCounts, ResponseCounts } from '../model/response-counts.js';
import { GroupLedger, toChangeAuthor, type LedgerGroup, type NewGroupChange } from '../transaction/group-ledger.js';
import type { GroupPayload } from '../transaction/with-locked-group.js';
import { validateGroupFields, type GroupFields } from './group-fields.js';
import { storeGroup } from './store-group.js';

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
  const group = newGroup(fields, now);
  const revisions: NewGroupChange[] = [];
  new GroupLedger(group, toChangeAuthor(creator), now, (change) => revisions.push(change)).record(
    { cause: 'CREATED', subjectId: creator.userId, status: 'ACCEPTED' },
    ({ counts }) => adjustCounts(counts, null, 'ACCEPTED'),
  );
  const owner = newOwner(group.id, creator.userId, now);
  await storeGroup(deps, { group, owner, revisions }, operation);
  return { group: toGroupView(group, now, { viewerMembership: owner, compatibilityScore: null }) };
}

/** Not stored yet, and without revision. */
function newGroup({ name, description, quorum, respondBy }: CreateGroupParams, now: Date): LedgerGroup & StoredGroup {
  return {
    id: newId(),
    name,
    description: description ?? null,
    quorum: quorum ?? null,
    respondBy: respondBy ?? null,
    requiredAtDeadline: null,
    cancelledAt: null,
    state: 'FORMING',
    stateChangedAt: now,
    createdAt: now,
    revision: 0,
    answersRevision: 0,
    counts: new ResponseCounts(),
  };
}

function newOwner(groupId: string, userId: string, now: Date): MemberView {
  return {
    groupId,
    userId,
    role: 'OWNER',
    status: 'ACCEPTED',
    invitedById: null,
    invitedAt: now,
    respondedAt: now,
    revision: 1,
    user: undefined,
  };
}
