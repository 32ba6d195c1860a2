import type { Clock, Mailer, ServerSecret } from '../accounts/index.js';
import type { Database } from '../database/index.js';
import type { ChangeFeed } from './change-feed/change-feed.js';
import type { GroupLoaders } from './group-loaders.js';
import type { InvitationMailLimits } from './inviting/invitation-mail-budget.js';
import type { GroupWriteQueue } from './transaction/group-write-queue.js';

/** What the use cases of groups are given. */
export interface GroupsDeps {
  readonly database: Database;
  /** Made once for a database, by `createGroupLoaders`. */
  readonly loaders: GroupLoaders;
  /** Made once for a process: it announces what is committed to groups, and serves those who listen. */
  readonly changeFeed: ChangeFeed;
  /** Created once for a process: every change of a group waits in it for its turn. */
  readonly writeQueue: GroupWriteQueue;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly serverSecret: ServerSecret;
  /** Where the pages behind mailed links are served, without a slash at its end. */
  readonly frontendUrl: string;
  /** Null for no limits. */
  readonly invitationMailQuotas: InvitationMailLimits | null;
  /** Tells the jobs, after a commit, that tasks are due; losing the hint only delays them. */
  readonly dispatchTasks: (taskIds: readonly string[]) => void;
}
