import { AccountEvent, lockAccount } from '../../accounts/index.js';
import { parseAccountPayload, type TaskHandlerDefinition, type TaskHandlerDeps } from './task-handler-definition.js';

/**
 * Creates the handler that records the account event `user.registered`. Skipped when the account was deleted before.
 */
export function registrationEventHandler({ clock }: Pick<TaskHandlerDeps, 'clock'>): TaskHandlerDefinition {
  return {
    name: 'announce_registration',
    queuedAtRegistration: true,
    async runInTransaction(em, { id, payload }) {
      // The row lock blocks a concurrent erasure until commit: events have no foreign key that would refuse the insert.
      const account = await lockAccount(em, parseAccountPayload(payload));
      if (account === null) return 'SKIPPED';
      em.create(AccountEvent, { id, kind: 'user.registered', userId: account.id, at: clock.now() }, { persist: true });
      return 'DONE';
    },
  };
}
