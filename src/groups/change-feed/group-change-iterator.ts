import { UnavailableError } from '../../errors/index.js';
import type { GroupLoaders } from '../group-loaders.js';
import type { GroupChangeView } from '../model/group-change-view.js';
import type { AutoResetEvent } from './auto-reset-event.js';
import type { GroupTopic } from './group-topic.js';
import { readChangesAfter } from './read-changes.js';
import type { SubscriptionGuard } from './subscription-guard.js';

export interface GroupChangeIteratorOptions {
  readonly loaders: Pick<GroupLoaders, 'history'>;
  readonly group: GroupTopic;
  readonly leave: () => void;
  /** Rings with everything that is a reason to look again. */
  readonly alarm: AutoResetEvent;
  readonly admission: SubscriptionGuard;
  /** Resolves when the next change may be handed over. */
  readonly beforeEvent: () => Promise<void>;
  /** The revision that the first change follows. */
  readonly after: number;
}

const END = { done: true, value: undefined } as const;

/** One listener's way through the history of a group: `watchGroup` says what it promises. */
export class GroupChangeIterator implements AsyncIterableIterator<GroupChangeView, undefined> {
  readonly #parts: GroupChangeIteratorOptions;
  /** Read, and not yet handed over. */
  #batch: GroupChangeView[] = [];
  /** The last revision that was read. */
  #position: number;
  /** The tail in memory need not reach back to where this begins, nor have what happened before this joined. */
  #isCatchingUp = true;
  #hasEnded = false;

  constructor(parts: GroupChangeIteratorOptions) {
    this.#parts = parts;
    this.#position = parts.after;
  }

  async next(): Promise<IteratorResult<GroupChangeView, undefined>> {
    while (!this.#hasEnded) {
      const change = await this.#findNext();
      if (change !== undefined) return { done: false, value: change };
      await this.#parts.alarm.wait();
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

  /** Nothing while the database is away: it is tried again with the next ring, and nothing is handed over unchecked. */
  async #findNext(): Promise<GroupChangeView | undefined> {
    try {
      if (this.#batch.length === 0) await this.#read();
      if (this.#batch.length > 0) await this.#parts.beforeEvent();
      // After the wait, in which the caller may have lost the right to hear it.
      await this.#parts.admission.authorize();
      // It may have been ended meanwhile.
      return this.#hasEnded ? undefined : this.#batch.shift();
    } catch (error) {
      if (error instanceof UnavailableError) return undefined;
      this.#end();
      throw error;
    }
  }

  async #read(): Promise<void> {
    const { group, loaders, admission } = this.#parts;
    const known = this.#isCatchingUp ? null : group.after(this.#position);
    const { changes, hasMore } =
      known === null ? await readChangesAfter(loaders, group.id, this.#position) : { changes: known, hasMore: false };
    this.#isCatchingUp = hasMore;
    this.#batch = [...changes];
    this.#position = changes.at(-1)?.revision ?? this.#position;
    if (changes.length === 0) return;
    // One of them may be the caller's removal, which nobody here may have heard of yet; and none is for a token that has ended since.
    admission.invalidateMembership();
    admission.invalidateToken();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#batch = [];
    this.#parts.leave();
    this.#parts.alarm.set();
  }
}
