import { claimWithin } from '../../groups/index.js';
import { DomainError } from '../../errors/index.js';
import { accountOf, type FollowUp, type FollowUpDeps } from './follow-up.js';

/**
 * Gives the new account its place in the group whose invitation came with the registration; skipped without one, and when
 * the invitation ended in the meantime.
 */
export function claimInvitation({ clock }: Pick<FollowUpDeps, 'clock'>): FollowUp {
  return {
    name: 'claim_invitation',
    owedByRegistration: true,
    async runInTransaction(em, { payload }) {
      const { invitationId: id, issue } = payload;
      if (typeof id !== 'string' || typeof issue !== 'number') return 'SKIPPED';
      try {
        await claimWithin(em, clock, { userId: accountOf(payload), right: { id, issue }, status: 'PENDING' });
        return 'DONE';
      } catch (error) {
        if (error instanceof DomainError && isForGood(error)) return 'SKIPPED';
        throw error;
      }
    },
  };
}

/** Used, revoked, expired or closed since, or the account is gone: no retry can mend that. */
function isForGood({ kind, reason }: DomainError): boolean {
  return kind === 'NotFound' || kind === 'Unauthenticated' || reason === 'RESPONSES_CLOSED';
}
