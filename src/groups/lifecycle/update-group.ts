import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { ConflictError, PreconditionError } from '../../errors/index.js';
import { requireOwner } from '../access/authorization.js';
import type { GroupsDeps } from '../deps.js';
import { isPastDeadline } from '../model/group-state.js';
import type { Group } from '../model/group.entity.js';
import { freezeRequiredCount } from '../transaction/group-ledger.js';
import type { GroupPayload } from '../transaction/group-payload.js';
import { toCallerGroupView, withLockedGroup } from '../transaction/with-locked-group.js';
import { validateGroupFields, type GroupFields } from './group-fields.js';
import { scheduleDeadlineTask } from './record-deadline.js';

/** Absent keeps, null clears. */
export interface UpdateGroupParams extends GroupFields {
  readonly groupId: string;
  /** The group's revision that the caller has seen; null or absent for any. */
  readonly expectedRevision?: number | null | undefined;
}

type Declared = Pick<Group, 'name' | 'description' | 'quorum' | 'respondBy'>;

/**
 * Changes what owners declare about a group. A new rule counts from now on, also for a deadline that has passed.
 * Declaring what is declared already changes nothing.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws InvalidInputError `INVALID_INPUT` naming every faulty field
 * @throws NotFoundError `GROUP_NOT_FOUND`
 * @throws ForbiddenError `OWNER_REQUIRED`, `SCOPE_REQUIRED`
 * @throws PreconditionError `REVISION_CHANGED`
 * @throws ConflictError `GROUP_CANCELLED`
 */
export async function updateGroup(deps: GroupsDeps, actor: Actor, input: UpdateGroupParams): Promise<GroupPayload> {
  const known = requireAuthenticated(actor);
  const patch = validateGroupFields(input, deps.clock.now());
  return withLockedGroup(deps, known, input, async (tx) => {
    const { em, group, ledger, now } = tx;
    await requireOwner(tx.caller);
    if ((input.expectedRevision ?? group.revision) !== group.revision) throw new PreconditionError();
    const declared = patched(group, patch);
    const cause = causeOf(group, declared);
    if (cause === null) return { group: toCallerGroupView(tx) };
    if (group.cancelledAt !== null) throw new ConflictError('GROUP_CANCELLED');
    ledger.record({ cause }, () => {
      Object.assign(group, declared);
      if (cause === 'RULE_CHANGED') restartDeadline(group, now);
    });
    if (cause === 'RULE_CHANGED' && patch.respondBy !== undefined) scheduleDeadlineTask(em, group, now);
    return { group: toCallerGroupView(tx) };
  });
}

function patched(group: Group, patch: GroupFields): Declared {
  const { description = group.description, quorum = group.quorum, respondBy = group.respondBy } = patch;
  return { name: patch.name ?? group.name, description, quorum, respondBy };
}

/** Null when nothing changes. */
function causeOf(group: Group, declared: Declared): 'RULE_CHANGED' | 'RENAMED' | null {
  const sameRule = group.quorum === declared.quorum && group.respondBy?.getTime() === declared.respondBy?.getTime();
  if (!sameRule) return 'RULE_CHANGED';
  return group.name === declared.name && group.description === declared.description ? null : 'RENAMED';
}

/** What was required when the deadline passed no longer binds; past a deadline that stays, what is required now does. */
function restartDeadline(group: Group, now: Date): void {
  group.requiredAtDeadline = null;
  if (isPastDeadline(group, now)) freezeRequiredCount(group);
}
