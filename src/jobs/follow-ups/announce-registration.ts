import { AccountEvent } from '../../accounts/index.js';
import { accountOf, type FollowUp, type FollowUpDeps } from './follow-up.js';

/** Records `user.registered` for whoever follows the account events. */
export function announceRegistration({ clock }: Pick<FollowUpDeps, 'clock'>): FollowUp {
  return {
    name: 'announce_registration',
    owedByRegistration: true,
    async runInTransaction(em, { id, payload }) {
      em.create(AccountEvent, { id, kind: 'user.registered', userId: accountOf(payload), at: clock.now() }, { persist: true });
      return 'DONE';
    },
  };
}
