import { AccountEvent, lockAccount } from '../../accounts/index.js';
import { accountOf, type FollowUp, type FollowUpDeps } from './follow-up.js';

/** Records `user.registered` for whoever follows the account events; skipped once the account is gone. */
export function announceRegistration({ clock }: Pick<FollowUpDeps, 'clock'>): FollowUp {
  return {
    name: 'announce_registration',
    owedByRegistration: true,
    async runInTransaction(em, { id, payload }) {
      // Events have no foreign key: without the lock one could be recorded of an account that is just being erased.
      const account = await lockAccount(em, accountOf(payload));
      if (account === null) return 'SKIPPED';
      em.create(AccountEvent, { id, kind: 'user.registered', userId: account.id, at: clock.now() }, { persist: true });
      return 'DONE';
    },
  };
}
