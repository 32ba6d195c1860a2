import type { GroupChangeView } from '../model/group-change-view.js';

/** Who is further behind than this reads from the database. */
const LONGEST_TAIL = 256;

/** Why listeners should look again: the group has changed, or it is time to. */
export type WakeReason = 'news' | 'time';

export interface TopicSubscriber {
  ring(reason: WakeReason): void;
}

/** A group that somebody in this process listens to, with its latest changes, so that all listeners are served by one read. */
export class GroupTopic {
  readonly id: string;
  readonly #listeners = new Set<TopicSubscriber>();
  /** Without gaps, up to `#known`. */
  #tail: GroupChangeView[] = [];
  #known: number | null = null;

  constructor(id: string) {
    this.id = id;
  }

  /** The last revision that is known here; null until the first listener has read the group. */
  get known(): number | null {
    return this.#known;
  }

  get hasNoSubscribers(): boolean {
    return this.#listeners.size === 0;
  }

  add(listener: TopicSubscriber): void {
    this.#listeners.add(listener);
  }

  remove(listener: TopicSubscriber): void {
    this.#listeners.delete(listener);
  }

  /** What the first listener found; later ones know no better. */
  beginAt(revision: number): void {
    this.#known ??= revision;
  }

  /** @param changes those that follow `known`, in order */
  append(changes: readonly GroupChangeView[]): void {
    this.#tail = [...this.#tail, ...changes].slice(-LONGEST_TAIL);
    this.#known = changes.at(-1)?.revision ?? this.#known;
  }

  /** The changes that follow a revision, in order; null when they have to be read from the database. */
  after(revision: number): readonly GroupChangeView[] | null {
    const isUpToDate = this.#known !== null && revision >= this.#known;
    if (isUpToDate) return [];
    const oldest = this.#tail[0]?.revision;
    return oldest === undefined || revision < oldest - 1 ? null : this.#tail.slice(revision - oldest + 1);
  }

  ring(reason: WakeReason): void {
    for (const listener of this.#listeners) listener.ring(reason);
  }
}
