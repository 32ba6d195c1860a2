import { UnavailableError } from '../../errors/index.js';
import type { GroupChangeView } from '../history/group-change-view.js';
import type { HistoryLoaders } from '../history/history-loader.js';
import type { AutoResetEvent } from './auto-reset-event.js';
import type { GroupTopic } from './group-topic.js';
import { readChangesAfter } from './read-changes.js';
import type { SubscriptionGuard } from './subscription-guard.js';

interface GroupChangeIteratorOptions {
  readonly loaders: HistoryLoaders;
  readonly topic: GroupTopic;
  readonly unsubscribe: () => void;
  /** Set when there may be changes, or the token is due for a check. */
  readonly wakeup: AutoResetEvent;
  readonly guard: SubscriptionGuard;
  /** Called before each change; delivery waits until it resolves. */
  readonly beforeEvent: () => Promise<void>;
  /** Revision that the first change follows. */
  readonly after: number;
}

const END = { done: true, value: undefined } as const;

/** Iterator over the changes of one subscription. See `watchGroup` for its guarantees. */
export class GroupChangeIterator implements AsyncIterableIterator<GroupChangeView, undefined> {
  readonly #options: GroupChangeIteratorOptions;
  /** Changes that were read and not delivered yet. */
  #batch: GroupChangeView[] = [];
  /** Last revision that was read. */
  #position: number;
  /** While true, reads from the database: the topic's buffer may begin after the start position. */
  #isCatchingUp = true;
  #hasEnded = false;

  constructor(options: GroupChangeIteratorOptions) {
    this.#options = options;
    this.#position = options.after;
  }

  async next(): Promise<IteratorResult<GroupChangeView, undefined>> {
    while (!this.#hasEnded) {
      const change = await this.#findNext();
      if (change !== undefined) return { done: false, value: change };
      await this.#options.wakeup.wait();
    }
    return END;
  }

  async return(): Promise<IteratorResult<GroupChangeView, undefined>> {
    this.#end();
    return END;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** @returns undefined when there is no change, or the database is unavailable; the next wake-up retries */
  async #findNext(): Promise<GroupChangeView | undefined> {
    try {
      if (this.#batch.length === 0) await this.#readBatch();
      if (this.#batch.length > 0) await this.#options.beforeEvent();
      // After the wait, during which the caller may have lost access.
      await this.#options.guard.authorize();
      // `return` may have been called meanwhile.
      return this.#hasEnded ? undefined : this.#batch.shift();
    } catch (error) {
      if (error instanceof UnavailableError) return undefined;
      this.#end();
      throw error;
    }
  }

  async #readBatch(): Promise<void> {
    const { topic, loaders, guard } = this.#options;
    const buffered = this.#isCatchingUp ? null : topic.after(this.#position);
    const { changes, hasMore } =
      buffered === null
        ? await readChangesAfter(loaders, topic.id, this.#position)
        : { changes: buffered, hasMore: false };
    this.#isCatchingUp = hasMore;
    this.#batch = [...changes];
    this.#position = changes.at(-1)?.revision ?? this.#position;
    if (changes.length === 0) return;
    // One of the changes may be the caller's removal, and the token may have ended, before a notification arrived.
    guard.invalidateMembership();
    guard.invalidateToken();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#batch = [];
    this.#options.unsubscribe();
    this.#options.wakeup.set();
  }
}
