import type { EntityManager, EntityName, EventArgs, EventSubscriber, TransactionEventArgs } from '@mikro-orm/core';
import type { AuthenticatedActor } from '../../accounts/index.js';
import {
  createNotificationPublisher,
  startNotificationListener,
  statement,
  type Database,
  type NotificationPublisher,
  type PollTrigger,
  type Pooler,
  type RunQuery,
} from '../../database/index.js';
import type { HistoryLoaders } from '../history/history-loader.js';
import { GroupChange } from '../model/group-change.entity.js';
import { Group } from '../model/group.entity.js';
import { GroupTopic, type TopicSubscriber } from './group-topic.js';
import { readChangesAfter } from './read-changes.js';
import { SubscriptionLimiter } from './subscription-limiter.js';

export interface ChangeFeedDeps {
  readonly database: Database;
  readonly loaders: HistoryLoaders;
  /** Called with the error of each notification that could not be sent. */
  readonly onError: (error: unknown) => void;
}

/** Called with the result of each poll. */
interface PollHealth {
  reportFailure(error: unknown): void;
  reportSuccess(): void;
}

const CHANNEL = 'convene_group_changes';
/** One statement publishes all notifications of this time. */
const BATCH_WINDOW_MS = 5;
/** Maximum delay of a change whose notification was lost. */
const POLL_INTERVAL_MS = 2_000;
/** Maximum time until a revoked token ends its subscriptions. */
const TOKEN_CHECK_INTERVAL_MS = 500;

/** @param revision the group's latest revision; null when the group was deleted */
type PublishGroupRevision = (groupId: string, revision: number | null) => void;

/** Latest known revisions by group id. */
type HeadRevisions = ReadonlyMap<string, number>;

/** Head revision of a deleted group: higher than any other, so that its subscribers wake. */
const DELETED = Infinity;

const HEAD_REVISIONS = statement<{ id: string; revision: number }>(
  'watched_group_heads',
  `
  select id, revision from groups where id = any($1::uuid[])`,
);

/**
 * Publishes changes of groups to all processes, and wakes the subscribers of this process.
 *
 * Subscribers read changes from the history. A notification only triggers the read, so a lost one delays changes until
 * the next poll, and a duplicate has no effect.
 */
export class ChangeFeed {
  readonly #loaders: HistoryLoaders;
  readonly #publisher: NotificationPublisher;
  readonly #topics = new Map<string, GroupTopic>();
  readonly #limiter = new SubscriptionLimiter();

  constructor({ database, loaders, onError }: ChangeFeedDeps) {
    this.#loaders = loaders;
    this.#publisher = createNotificationPublisher({
      pool: database.pool,
      channel: CHANNEL,
      batchWindowMs: BATCH_WINDOW_MS,
      onError,
    });
    database.orm.em.getEventManager().registerSubscriber(
      new GroupCommitSubscriber((groupId, revision) => {
        this.publish(groupId, revision);
      }),
    );
  }

  /** Number of subscriptions in this process. */
  get subscriberCount(): number {
    return this.#limiter.total;
  }

  /**
   * Publishes a committed revision of a group to all processes. Returns immediately and never throws. Call it only
   * after writes outside the unit of work; `GroupCommitSubscriber` calls it for all others.
   *
   * @param revision null when the group was deleted
   */
  publish(groupId: string, revision: number | null): void {
    this.#publisher.publish(revision === null ? groupId : `${groupId} ${revision}`);
  }

  /** Resolves when all published notifications have been sent or have failed. */
  flush(): Promise<void> {
    return this.#publisher.flush();
  }

  /** Starts to wake subscribers. Resolves after the first attempt to connect, also when it failed. */
  async start(url: string, health: PollHealth, pooler?: Pooler): Promise<{ stop(): Promise<void> }> {
    const listener = await startNotificationListener({
      url,
      pooler,
      channel: CHANNEL,
      pollIntervalMs: POLL_INTERVAL_MS,
      health,
      poll: (runQuery, trigger) => this.#poll(runQuery, trigger),
    });
    const tokenCheckTimer = setInterval(() => {
      for (const topic of this.#topics.values()) topic.wakeAll('interval');
    }, TOKEN_CHECK_INTERVAL_MS).unref();
    return {
      stop: () => {
        clearInterval(tokenCheckTimer);
        return listener.stop();
      },
    };
  }

  /**
   * Subscribes to a group: every later change wakes the subscriber.
   *
   * @throws RateLimitedError, UnavailableError when there are too many subscriptions
   */
  subscribe(
    actor: AuthenticatedActor,
    groupId: string,
    subscriber: TopicSubscriber,
  ): { readonly topic: GroupTopic; readonly unsubscribe: () => void } {
    const release = this.#limiter.acquire(actor);
    const topic = this.#topics.get(groupId) ?? new GroupTopic(groupId);
    this.#topics.set(groupId, topic);
    topic.add(subscriber);
    return {
      topic,
      unsubscribe: () => {
        release();
        topic.remove(subscriber);
        if (topic.hasNoSubscribers && this.#topics.get(groupId) === topic) this.#topics.delete(groupId);
      },
    };
  }

  async #poll(runQuery: RunQuery, { kind, payloads }: PollTrigger): Promise<void> {
    const heads = kind === 'notification' ? parsePayloads(payloads) : await this.#readHeads(runQuery);
    const outdated = [...this.#topics.values()].filter(
      ({ id, headRevision }) => headRevision !== null && (heads.get(id) ?? 0) > headRevision,
    );
    await Promise.all(outdated.map((topic) => this.#catchUp(topic)));
    for (const topic of outdated) topic.wakeAll('change');
  }

  /** Runs on the listening connection, so that it also detects a broken connection. */
  async #readHeads(runQuery: RunQuery): Promise<HeadRevisions> {
    const ids = [...this.#topics.keys()];
    const rows = ids.length === 0 ? [] : await runQuery(HEAD_REVISIONS, [ids]);
    return new Map([
      ...ids.map((id) => [id, DELETED] as const),
      ...rows.map(({ id, revision }) => [id, revision] as const),
    ]);
  }

  /** Reads of several groups in one event-loop iteration share one statement. */
  async #catchUp(topic: GroupTopic): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const batch = await readChangesAfter(this.#loaders, topic.id, topic.headRevision ?? 0);
      topic.append(batch.changes);
      hasMore = batch.hasMore;
    }
  }
}

/**
 * Publishes, after each commit, the groups for which the transaction has recorded revisions or which it has deleted.
 * Sees only rows that the unit of work writes; other writers call `ChangeFeed.publish`.
 */
class GroupCommitSubscriber implements EventSubscriber<GroupChange | Group> {
  readonly #publish: PublishGroupRevision;
  /** Revisions by group, for each unit of work; garbage-collected with it after a rollback. */
  readonly #recorded = new WeakMap<EntityManager, Map<string, number | null>>();

  constructor(publish: PublishGroupRevision) {
    this.#publish = publish;
  }

  getSubscribedEntities(): EntityName<GroupChange | Group>[] {
    return [GroupChange, Group];
  }

  afterCreate({ entity, em }: EventArgs<GroupChange | Group>): void {
    if (entity instanceof GroupChange) this.#record(em, entity.groupId, entity.revision);
  }

  afterDelete({ entity, em }: EventArgs<GroupChange | Group>): void {
    if (entity instanceof Group) this.#record(em, entity.id, null);
  }

  afterTransactionCommit({ em }: TransactionEventArgs): void {
    for (const [groupId, revision] of this.#recorded.get(em) ?? []) this.#publish(groupId, revision);
    this.#recorded.delete(em);
  }

  #record(em: EntityManager, groupId: string, revision: number | null): void {
    const recorded = this.#recorded.get(em) ?? new Map<string, number | null>();
    this.#recorded.set(em, recorded);
    const earlier = recorded.get(groupId);
    // Rows are inserted in no particular order, and no revision follows a deletion.
    if (earlier === undefined || (earlier !== null && (revision === null || revision > earlier)))
      recorded.set(groupId, revision);
  }
}

function parsePayloads(payloads: readonly string[]): HeadRevisions {
  const heads = new Map<string, number>();
  for (const payload of payloads) {
    const [groupId = '', revision] = payload.split(' ');
    heads.set(groupId, Math.max(heads.get(groupId) ?? 0, revision === undefined ? DELETED : Number(revision)));
  }
  return heads;
}
