import type { Clock, Mailer, ServerSecret } from '../accounts/index.js';
import type { Database } from '../database/index.js';
import type { ChangeFeed } from './change-feed/change-feed.js';
import type { GroupLoaders } from './group-loaders.js';
import type { InvitationMailLimits } from './inviting/invitation-mail-budget.js';
import type { ResponseBatcher } from './responding/response-batcher.js';
import type { GroupWriteQueue } from './transaction/group-write-queue.js';

/** All dependencies of the use cases of groups. Each use case declares its own subset. */
export interface GroupsDeps {
  readonly database: Database;
  /** One per database. */
  readonly loaders: GroupLoaders;
  /** One per process. */
  readonly changeFeed: ChangeFeed;
  /** One per process; all writers of groups wait in it. */
  readonly writeQueue: GroupWriteQueue;
  /** One per process. */
  readonly responses: ResponseBatcher;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly serverSecret: ServerSecret;
  /** Base URL of the pages behind mailed links, without a trailing slash. */
  readonly frontendUrl: string;
  /** Null for no limits. */
  readonly invitationMailQuotas: InvitationMailLimits | null;
  /** Called after a commit with the ids of enqueued tasks. Best effort: a lost call only delays the tasks. */
  readonly dispatchTasks: (taskIds: readonly string[]) => void;
}
