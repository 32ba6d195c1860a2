import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../../errors/index.js';
import { claimInTransaction, findGroupOfInvitation, type GroupTurn, type InvitationClaim } from '../../groups/index.js';
import type { TaskOutcome } from '../tasks/task-handler.js';
import { parseAccountPayload, type TaskHandlerDefinition, type TaskHandlerDeps } from './task-handler-definition.js';

type ClaimDeps = Pick<TaskHandlerDeps, 'database' | 'clock' | 'writeQueue'>;

/**
 * Gives the new account its place in the group whose invitation came with the registration; skipped without one, and
 * when the invitation ended in the meantime.
 */
export function claimInvitationHandler(deps: ClaimDeps): TaskHandlerDefinition {
  return {
    name: 'claim_invitation',
    queuedAtRegistration: true,
    async runQueued({ payload }, complete) {
      const { invitationId: id, issue } = payload;
      const isNamed = typeof id === 'string' && typeof issue === 'number';
      const groupId = isNamed ? await findGroupOfInvitation(deps, id) : null;
      if (!isNamed || groupId === null) return complete(() => Promise.resolve('SKIPPED'));
      const claim: InvitationClaim = { userId: parseAccountPayload(payload), right: { id, issue }, status: 'PENDING' };
      return deps.writeQueue.runTask(groupId, (turn) => complete((em) => claimUnlessEnded(em, turn, deps, claim)));
    },
  };
}

async function claimUnlessEnded(
  em: EntityManager,
  turn: GroupTurn,
  { clock }: ClaimDeps,
  claim: InvitationClaim,
): Promise<TaskOutcome> {
  try {
    await claimInTransaction(em, turn, clock, claim);
    return 'DONE';
  } catch (error) {
    if (error instanceof DomainError && isForGood(error)) return 'SKIPPED';
    throw error;
  }
}

/** Used, revoked, expired or closed since, or the account is gone: no retry can mend that. */
function isForGood({ kind, reason }: DomainError): boolean {
  return kind === 'NotFound' || kind === 'Unauthenticated' || reason === 'RESPONSES_CLOSED';
}
