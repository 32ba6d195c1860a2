import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../../errors/index.js';
import { claimInTransaction, findGroupOfInvitation, type GroupTurn, type InvitationClaim } from '../../groups/index.js';
import type { TaskOutcome } from '../tasks/task-handler.js';
import { parseAccountPayload, type TaskHandlerDefinition, type TaskHandlerDeps } from './task-handler-definition.js';

type ClaimDeps = Pick<TaskHandlerDeps, 'database' | 'clock' | 'writeQueue'>;

/**
 * Creates the handler that adds a new account to the group of the invitation given at registration. Skipped when none
 * was given, or when the invitation is no longer open.
 */
export function claimInvitationHandler(deps: ClaimDeps): TaskHandlerDefinition {
  return {
    name: 'claim_invitation',
    queuedAtRegistration: true,
    async runQueued({ payload }, complete) {
      const { invitationId: id, issue } = payload;
      const isNamed = typeof id === 'string' && typeof issue === 'number';
      const groupId = isNamed ? await findGroupOfInvitation(deps, id) : null;
      if (!isNamed || groupId === null) return 'SKIPPED';
      const claim: InvitationClaim = { userId: parseAccountPayload(payload), right: { id, issue }, status: 'PENDING' };
      return deps.writeQueue.runTask(groupId, (turn) => complete((em) => claimIfOpen(em, turn, deps, claim)));
    },
  };
}

async function claimIfOpen(
  em: EntityManager,
  turn: GroupTurn,
  { clock }: ClaimDeps,
  claim: InvitationClaim,
): Promise<TaskOutcome> {
  try {
    await claimInTransaction(em, turn, clock, claim);
    return 'DONE';
  } catch (error) {
    if (error instanceof DomainError && isPermanent(error)) return 'SKIPPED';
    throw error;
  }
}

/**
 * True when no retry can succeed: the invitation was used, revoked or closed, it expired, or the account is deleted.
 */
function isPermanent({ kind, reason }: DomainError): boolean {
  return kind === 'NotFound' || kind === 'Unauthenticated' || reason === 'RESPONSES_CLOSED';
}
