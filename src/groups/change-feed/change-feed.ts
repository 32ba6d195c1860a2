import type { AuthenticatedActor } from '../../accounts/index.js';
import {
  createNotificationPublisher,
  startNotificationListener,
  statement,
  type Database,
  type NotificationPublisher,
  type PollTrigger,
  type RunQuery,
} from '../../database/index.js';
import type { GroupLoaders } from '../group-loaders.js';
import { GroupCommitSubscriber } from './group-commit-subscriber.js';
import { GroupTopic, type TopicSubscriber } from './group-topic.js';
import { readChangesAfter } from './read-changes.js';
import { SubscriptionLimiter } from './subscription-limiter.js';

export interface ChangeFeedDeps {
  readonly database: Database;
  readonly loaders: Pick<GroupLoaders, 'history'>;
  /** Hears of each notice that could not be sent. */
  readonly onError: (error: unknown) => void;
}

/** Hears of each failed attempt to look, and of each that succeeded. */
export interface Outage {
  reportFailure(error: unknown): void;
  reportSuccess(): void;
}

const CHANNEL = 'convene_group_changes';
/** Under load one statement announces many changes, instead of one each. */
const GATHER_MS = 5;
/** How late a change arrives at most whose notice was lost. */
const LOOK_EVERY_MS = 2_000;
/** How late a token's revocation is noticed at most, where no change comes before. */
const DOUBT_TOKENS_EVERY_MS = 500;

/** The latest revisions by group, as far as somebody knows. */
type Heads = ReadonlyMap<string, number>;

/** The revision of a group that is no more: whoever listens has reason to look. */
const GONE = Infinity;

const HEADS = statement<{ id: string; revision: number }>(
  'watched_group_heads',
  `
  select id, revision from groups where id = any($1::uuid[])`,
);

/**
 * Tells listeners what changes in their groups. The history is what they are told; a notice only says that there may
 * be more of it, so that a lost one delays what it would have said, and a repeated one changes nothing.
 */
export class ChangeFeed {
  readonly #loaders: ChangeFeedDeps['loaders'];
  readonly #announcer: NotificationPublisher;
  readonly #watched = new Map<string, GroupTopic>();
  readonly #places = new SubscriptionLimiter();

  constructor({ database, loaders, onError }: ChangeFeedDeps) {
    this.#loaders = loaders;
    this.#announcer = createNotificationPublisher({
      pool: database.pool,
      channel: CHANNEL,
      batchWindowMs: GATHER_MS,
      onError,
    });
    database.orm.em.getEventManager().registerSubscriber(
      new GroupCommitSubscriber((groupId, revision) => {
        this.publish(groupId, revision);
      }),
    );
  }

  /** How many listen in this process. */
  get subscriberCount(): number {
    return this.#places.total;
  }

  /**
   * Tells every process that a revision of a group is committed, or with null that the group is gone. Returns at once
   * and never throws. Only writers that pass by the unit of work have to call it; for all others it is done.
   */
  publish(groupId: string, revision: number | null): void {
    this.#announcer.publish(revision === null ? groupId : `${groupId} ${revision}`);
  }

  /** Resolves once everybody has been told of what was announced, or could not be. */
  flush(): Promise<void> {
    return this.#announcer.flush();
  }

  /** Begins to serve listeners; resolves after the first attempt to listen, also when that failed. */
  async start(url: string, health: Outage): Promise<{ stop(): Promise<void> }> {
    const listener = await startNotificationListener({
      url,
      channel: CHANNEL,
      pollIntervalMs: LOOK_EVERY_MS,
      health,
      poll: (read, why) => this.#look(read, why),
    });
    const ticking = setInterval(() => {
      this.#ringAll();
    }, DOUBT_TOKENS_EVERY_MS).unref();
    return {
      stop: () => {
        clearInterval(ticking);
        return listener.stop();
      },
    };
  }

  /**
   * From now on, everything that happens to the group rings the listener.
   *
   * @returns the group, and what ends the listening
   * @throws RateLimitedError, UnavailableError when there is no place for another listener
   */
  subscribe(
    actor: AuthenticatedActor,
    groupId: string,
    listener: TopicSubscriber,
  ): { readonly group: GroupTopic; readonly unsubscribe: () => void } {
    const giveUpPlace = this.#places.acquire(actor);
    const group = this.#watched.get(groupId) ?? new GroupTopic(groupId);
    this.#watched.set(groupId, group);
    group.add(listener);
    return {
      group,
      unsubscribe: () => {
        giveUpPlace();
        group.remove(listener);
        if (group.hasNoSubscribers && this.#watched.get(groupId) === group) this.#watched.delete(groupId);
      },
    };
  }

  async #look(read: RunQuery, { kind, payloads }: PollTrigger): Promise<void> {
    const heads = kind === 'notice' ? headsIn(payloads) : await this.#readHeads(read);
    const behind = [...this.#watched.values()].filter(
      ({ id, known }) => known !== null && (heads.get(id) ?? 0) > known,
    );
    await Promise.all(behind.map((group) => this.#catchUp(group)));
    for (const group of behind) group.ring('news');
  }

  /** On the listening connection, which shows whether it still works. */
  async #readHeads(read: RunQuery): Promise<Heads> {
    const ids = [...this.#watched.keys()];
    const rows = ids.length === 0 ? [] : await read(HEADS, [ids]);
    return new Map([
      ...ids.map((id) => [id, GONE] as const),
      ...rows.map(({ id, revision }) => [id, revision] as const),
    ]);
  }

  /** All groups that are read in one turn take one statement, however many listen to them. */
  async #catchUp(group: GroupTopic): Promise<void> {
    for (let isMore = true; isMore;) {
      const next = await readChangesAfter(this.#loaders, group.id, group.known ?? 0);
      group.append(next.changes);
      isMore = next.hasMore;
    }
  }

  /** Everybody has reason to look at their token again. */
  #ringAll(): void {
    for (const group of this.#watched.values()) group.ring('time');
  }
}

function headsIn(notices: readonly string[]): Heads {
  const heads = new Map<string, number>();
  for (const notice of notices) {
    const [groupId = '', revision] = notice.split(' ');
    heads.set(groupId, Math.max(heads.get(groupId) ?? 0, revision === undefined ? GONE : Number(revision)));
  }
  return heads;
}
