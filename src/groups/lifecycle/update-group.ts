import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { ConflictError, PreconditionError } from '../../errors/index.js';
import { requireOwner } from '../access/authorization.js';
import { isPastDeadline } from '../model/group-state.js';
import type { Group } from '../model/group.entity.js';
import { freezeRequiredCount } from '../transaction/group-ledger.js';
import {
  toCallerGroupView,
  withLockedGroup,
  type GroupPayload,
  type GroupWriteDeps,
} from '../transaction/with-locked-group.js';
import { validateGroupFields, type GroupFields } from './group-fields.js';
import { scheduleDeadlineTask } from './record-deadline.js';

/** An absent field stays unchanged; null clears it. */
export interface UpdateGroupParams extends GroupFields {
  readonly groupId: string;
  /** Revision of the group that the caller has read; null or absent to skip the check. */
  readonly expectedRevision?: number | null | undefined;
}

type Declared = Pick<Group, 'name' | 'description' | 'quorum' | 'respondBy'>;

/**
 * Changes the declared fields of a group. A new rule applies from now on, also after a passed deadline. Equal values
 * change nothing.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws InvalidInputError `INVALID_INPUT` with all invalid fields
 * @throws NotFoundError `GROUP_NOT_FOUND`
 * @throws ForbiddenError `OWNER_REQUIRED`, `SCOPE_REQUIRED`
 * @throws PreconditionError `REVISION_CHANGED`
 * @throws ConflictError `GROUP_CANCELLED`
 */
export async function updateGroup(
  deps: GroupWriteDeps,
  actor: Actor,
  params: UpdateGroupParams,
): Promise<GroupPayload> {
  const authenticated = requireAuthenticated(actor);
  const patch = validateGroupFields(params, deps.clock.now());
  return withLockedGroup(deps, authenticated, params, async (tx) => {
    const { em, group, ledger, now } = tx;
    await requireOwner(tx.caller);
    if ((params.expectedRevision ?? group.revision) !== group.revision) throw new PreconditionError();
    const declared = applyPatch(group, patch);
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

function applyPatch(group: Group, patch: GroupFields): Declared {
  const { description = group.description, quorum = group.quorum, respondBy = group.respondBy } = patch;
  return { name: patch.name ?? group.name, description, quorum, respondBy };
}

/** @returns null when nothing changes */
function causeOf(group: Group, declared: Declared): 'RULE_CHANGED' | 'RENAMED' | null {
  const sameRule = group.quorum === declared.quorum && group.respondBy?.getTime() === declared.respondBy?.getTime();
  if (!sameRule) return 'RULE_CHANGED';
  return group.name === declared.name && group.description === declared.description ? null : 'RENAMED';
}

/** Drops the required count of the old rule; after a deadline that stays, fixes the count of the new rule. */
function restartDeadline(group: Group, now: Date): void {
  group.requiredAtDeadline = null;
  if (isPastDeadline(group, now)) freezeRequiredCount(group);
}
