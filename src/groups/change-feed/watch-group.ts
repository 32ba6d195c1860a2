import { requireAuthenticated } from '../../accounts/index.js';
import { InvalidInputError } from '../../errors/index.js';
import type { GroupsDeps } from '../deps.js';
import type { GroupChangeView } from '../model/group-change-view.js';
import { AutoResetEvent } from './auto-reset-event.js';
import { GroupChangeIterator } from './group-change-iterator.js';
import type { TopicSubscriber } from './group-topic.js';
import { SubscriptionGuard, type SubscriptionCaller } from './subscription-guard.js';

export interface WatchGroupParams {
  readonly groupId: string;
  /** The last revision that the caller has seen: what followed comes first. Null or absent to begin with what comes next. */
  readonly afterRevision?: number | null | undefined;
}

/**
 * Everything that happens to a group, in the order of its revisions, each once, without a gap: first what was missed,
 * then what comes, until the caller's token ends or the group is no longer theirs to see.
 *
 * Whoever takes the changes slowly holds up nobody, and one batch of them is all that is kept for them. `return` ends
 * it at once, also while `next` waits.
 *
 * @throws UnauthenticatedError when nobody is signed in; from `next`, when the token has ended
 * @throws InvalidInputError `INVALID_INPUT` for a revision that the group has not had
 * @throws NotFoundError `GROUP_NOT_FOUND` when there is none, or none that the caller may know of; from `next`, when it
 *   is gone or they are no longer in it
 * @throws ForbiddenError `SCOPE_REQUIRED`
 * @throws RateLimitedError, UnavailableError when too many are listening
 */
export async function watchGroup(
  deps: Pick<GroupsDeps, 'loaders' | 'clock' | 'changeFeed'>,
  caller: SubscriptionCaller,
  { groupId, afterRevision }: WatchGroupParams,
): Promise<AsyncIterableIterator<GroupChangeView, undefined>> {
  const actor = requireAuthenticated(caller.actor);
  const { beforeEvent = () => Promise.resolve() } = caller;
  if ((afterRevision ?? 0) < 0) throw invalidRevision('must not be negative');
  const admission = new SubscriptionGuard(deps, caller, groupId);
  const alarm = new AutoResetEvent();
  // Before the group is read: what happens from then on rings, and what happened until then is read.
  const { group, unsubscribe } = deps.changeFeed.subscribe(actor, groupId, listenerFor(admission, alarm));
  try {
    const { revision } = await admission.authorizeStart();
    if ((afterRevision ?? 0) > revision) throw invalidRevision('must not be higher than the revision of the group');
    group.beginAt(revision);
    return new GroupChangeIterator({
      loaders: deps.loaders,
      group,
      leave: unsubscribe,
      alarm,
      admission,
      beforeEvent,
      after: afterRevision ?? revision,
    });
  } catch (error) {
    unsubscribe();
    throw error;
  }
}

function listenerFor(admission: SubscriptionGuard, alarm: AutoResetEvent): TopicSubscriber {
  return {
    ring: (reason) => {
      if (reason === 'news') admission.invalidateMembership();
      else admission.invalidateToken();
      alarm.set();
    },
  };
}

function invalidRevision(message: string): InvalidInputError {
  return new InvalidInputError([{ field: 'afterRevision', message }]);
}
