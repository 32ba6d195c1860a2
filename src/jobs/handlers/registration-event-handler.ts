import { recordRegistrations } from '../../accounts/index.js';
import { parseAccountPayload, type TaskHandlerDefinition, type TaskHandlerDeps } from './task-handler-definition.js';

/**
 * Creates the handler that records the account event `user.registered`. Skipped when the account was deleted before.
 */
export function registrationEventHandler({
  database,
  clock,
}: Pick<TaskHandlerDeps, 'database' | 'clock'>): TaskHandlerDefinition {
  return {
    name: 'announce_registration',
    queuedAtRegistration: true,
    runBatch(tasks) {
      const events = tasks.map(({ id, attempts, payload }) => ({ id, attempts, userId: parseAccountPayload(payload) }));
      return recordRegistrations(database, events, clock.now());
    },
  };
}
