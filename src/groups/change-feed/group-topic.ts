import type { GroupChangeView } from '../history/group-change-view.js';

/** Buffered changes per group. Subscribers that are further behind read from the database. */
const MAX_BUFFERED_CHANGES = 256;

/** Why subscribers wake: the group has changed, or their tokens are due for a check. */
export type WakeReason = 'change' | 'interval';

export interface TopicSubscriber {
  wake(reason: WakeReason): void;
}

/** Topic of one group: its subscribers in this process, and a buffer of its latest changes, which all of them share. */
export class GroupTopic {
  readonly id: string;
  readonly #subscribers = new Set<TopicSubscriber>();
  /** Consecutive changes up to `#headRevision`. */
  #buffer: GroupChangeView[] = [];
  #headRevision: number | null = null;

  constructor(id: string) {
    this.id = id;
  }

  /** Latest revision that this process has read; null until the first subscriber has read the group. */
  get headRevision(): number | null {
    return this.#headRevision;
  }

  get hasNoSubscribers(): boolean {
    return this.#subscribers.size === 0;
  }

  add(subscriber: TopicSubscriber): void {
    this.#subscribers.add(subscriber);
  }

  remove(subscriber: TopicSubscriber): void {
    this.#subscribers.delete(subscriber);
  }

  /** Sets the head revision that the first subscriber has read. Does nothing when it is set. */
  beginAt(revision: number): void {
    this.#headRevision ??= revision;
  }

  /** @param changes the changes that follow `headRevision`, in order */
  append(changes: readonly GroupChangeView[]): void {
    this.#buffer = [...this.#buffer, ...changes].slice(-MAX_BUFFERED_CHANGES);
    this.#headRevision = changes.at(-1)?.revision ?? this.#headRevision;
  }

  /** @returns the changes after a revision, in order; null when the buffer does not reach back to it */
  after(revision: number): readonly GroupChangeView[] | null {
    const isUpToDate = this.#headRevision !== null && revision >= this.#headRevision;
    if (isUpToDate) return [];
    const oldest = this.#buffer[0]?.revision;
    return oldest === undefined || revision < oldest - 1 ? null : this.#buffer.slice(revision - oldest + 1);
  }

  wakeAll(reason: WakeReason): void {
    for (const subscriber of this.#subscribers) subscriber.wake(reason);
  }
}
