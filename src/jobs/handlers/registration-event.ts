import { AccountEvent, lockAccount } from '../../accounts/index.js';
import { parseAccountPayload, type TaskHandlerDefinition, type TaskHandlerDeps } from './task-handler-definition.js';

/** Records `user.registered` for whoever follows the account events; skipped once the account is gone. */
export function registrationEventHandler({ clock }: Pick<TaskHandlerDeps, 'clock'>): TaskHandlerDefinition {
  return {
    name: 'announce_registration',
    queuedAtRegistration: true,
    async runInTransaction(em, { id, payload }) {
      // Events have no foreign key: without the lock one could be recorded of an account that is just being erased.
      const account = await lockAccount(em, parseAccountPayload(payload));
      if (account === null) return 'SKIPPED';
      em.create(AccountEvent, { id, kind: 'user.registered', userId: account.id, at: clock.now() }, { persist: true });
      return 'DONE';
    },
  };
}
