import type { FollowUp } from './follow-up.js';

/** Skipped for every registration that came without an invitation. */
export function claimInvitation(): FollowUp {
  return {
    name: 'claim_invitation',
    owedByRegistration: true,
    runInTransaction: () => Promise.resolve('SKIPPED'),
  };
}
