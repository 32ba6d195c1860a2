import { requireAuthenticated } from '../../accounts/index.js';
import { InvalidInputError } from '../../errors/index.js';
import type { GetGroupDeps } from '../access/get-group.js';
import type { GroupChangeView } from '../history/group-change-view.js';
import type { HistoryLoaders } from '../history/history-loader.js';
import { AutoResetEvent } from './auto-reset-event.js';
import type { ChangeFeed } from './change-feed.js';
import { GroupChangeIterator } from './group-change-iterator.js';
import type { TopicSubscriber } from './group-topic.js';
import { SubscriptionGuard, type SubscriptionCaller } from './subscription-guard.js';

export interface WatchGroupParams {
  readonly groupId: string;
  /** Starts with the changes after this revision. Null or absent starts with the next change. */
  readonly afterRevision?: number | null | undefined;
}

interface WatchGroupDeps extends GetGroupDeps {
  readonly loaders: GetGroupDeps['loaders'] & HistoryLoaders;
  readonly changeFeed: ChangeFeed;
}

/**
 * Subscribes to the changes of a group: each revision once, in order, without gaps, first the missed ones, until the
 * caller's token ends or the caller loses access.
 *
 * A slow consumer does not delay others; at most one batch is held in memory for it. `return` ends the subscription
 * immediately, also while `next` is pending.
 *
 * @throws UnauthenticatedError when the caller is anonymous; from `next`, when the token has ended
 * @throws InvalidInputError `INVALID_INPUT` for a revision that the group has not reached
 * @throws NotFoundError `GROUP_NOT_FOUND` when the group does not exist or the caller has no access; from `next`, when
 *   it was deleted or the caller has lost access
 * @throws ForbiddenError `SCOPE_REQUIRED`
 * @throws RateLimitedError, UnavailableError when there are too many subscriptions
 */
export async function watchGroup(
  deps: WatchGroupDeps,
  caller: SubscriptionCaller,
  { groupId, afterRevision }: WatchGroupParams,
): Promise<AsyncIterableIterator<GroupChangeView, undefined>> {
  const actor = requireAuthenticated(caller.actor);
  const { beforeEvent = () => Promise.resolve() } = caller;
  if ((afterRevision ?? 0) < 0) throw invalidRevision('must not be negative');
  const guard = new SubscriptionGuard(deps, caller, groupId);
  const wakeup = new AutoResetEvent();
  // Subscribes before it reads the group, so that no change in between is missed.
  const { topic, unsubscribe } = deps.changeFeed.subscribe(actor, groupId, createSubscriber(guard, wakeup));
  try {
    const { revision } = await guard.authorizeStart();
    if ((afterRevision ?? 0) > revision) throw invalidRevision('must not be higher than the revision of the group');
    topic.beginAt(revision);
    return new GroupChangeIterator({
      loaders: deps.loaders,
      topic,
      unsubscribe,
      wakeup,
      guard,
      beforeEvent,
      after: afterRevision ?? revision,
    });
  } catch (error) {
    unsubscribe();
    throw error;
  }
}

function createSubscriber(guard: SubscriptionGuard, wakeup: AutoResetEvent): TopicSubscriber {
  return {
    wake: (reason) => {
      if (reason === 'change') guard.invalidateMembership();
      else guard.invalidateToken();
      wakeup.set();
    },
  };
}

function invalidRevision(message: string): InvalidInputError {
  return new InvalidInputError([{ field: 'afterRevision', message }]);
}
