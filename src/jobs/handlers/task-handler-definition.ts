import type { AccountsDeps } from '../../accounts/index.js';
import type { TaskPayload } from '../../database/outbox/outbox-task.entity.js';
import { PermanentError } from '../../errors/index.js';
import type { GroupsDeps } from '../../groups/index.js';
import type { TaskHandler } from '../tasks/task-handler.js';

/** A handler of outbox tasks. Each has its own file in this folder. */
export type TaskHandlerDefinition = TaskHandler & {
  /** True when every registration queues it. */
  readonly queuedAtRegistration: boolean;
};

/** Dependencies of the handlers. */
export type TaskHandlerDeps = Pick<
  AccountsDeps,
  'database' | 'clock' | 'limits' | 'mailer' | 'serverSecret' | 'frontendUrl'
> &
  Pick<GroupsDeps, 'writeQueue'>;

/** @throws Error when `userId` is missing; no retry can succeed */
export function parseAccountPayload(payload: TaskPayload): string {
  if (typeof payload['userId'] !== 'string') throw new PermanentError('Task payload has no userId');
  return payload['userId'];
}
