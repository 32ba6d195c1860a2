import type { AccountsDeps } from '../../accounts/index.js';
import type { TaskPayload } from '../../database/outbox/outbox-task.entity.js';
import type { GroupsDeps } from '../../groups/index.js';
import type { TaskHandler } from '../tasks/task-handler.js';

/** Something done after the fact, in a file of its own in this folder. */
export type TaskHandlerDefinition = TaskHandler & {
  /** True when every registration queues it. */
  readonly queuedAtRegistration: boolean;
};

/** What the follow-ups are given. */
export type TaskHandlerDeps = Pick<
  AccountsDeps,
  'database' | 'clock' | 'limits' | 'mailer' | 'serverSecret' | 'frontendUrl'
> &
  Pick<GroupsDeps, 'writeQueue'>;

/** @throws Error when the payload does not name an account, which no retry mends */
export function parseAccountPayload(payload: TaskPayload): string {
  if (typeof payload['userId'] !== 'string') throw new Error('The payload names no account.');
  return payload['userId'];
}
