import { LRUCache } from 'lru-cache';
import type { Clock } from '../../accounts/index.js';
import { overloaded } from '../../async/keyed-semaphore.js';
import {
  createBatchLoader,
  inTransaction,
  statement,
  transactionOf,
  type BatchLoader,
  type Database,
} from '../../database/index.js';
import { UnavailableError } from '../../errors/index.js';
import type { ChangeFeed } from '../change-feed/change-feed.js';
import type { GroupWriteQueue } from '../transaction/group-write-queue.js';
import {
  decideResponses,
  type ResponseChanges,
  type ResponseDecision,
  type ResponseOutcome,
  type ResponseRequest,
} from './decide-responses.js';
import { readRespondingGroups, type Responders, type RespondingGroup } from './responding-group.js';
import { createResponseWriter, type WriteResponses } from './response-writer.js';
import { responseValues, WRITE_RESPONSES } from './write-responses.js';

export interface ResponseBatcherDeps {
  readonly database: Database;
  readonly writeQueue: GroupWriteQueue;
  readonly changeFeed: ChangeFeed;
  readonly clock: Clock;
}

interface WaitingResponse {
  readonly request: ResponseRequest;
  /** Null when the response has to be decided alone, under the group's row lock. */
  readonly resolve: (outcome: ResponseOutcome | null) => void;
  readonly reject: (error: unknown) => void;
}

/** At 10,000 responses per second, a full queue takes 0.1 s. */
const MAX_WAITING = 1_000;
const RETRY_AFTER_SECONDS = 2;
/** Attempts without the row lock. Each fails only when another process has changed the group since the read. */
const MAX_OPTIMISTIC_ATTEMPTS = 2;
/** How long the batches of a group take the row lock immediately after two collisions. */
const CONTESTED_MS = 1_000;
const MAX_CONTESTED = 1_000;

const LOCK_GROUP = statement<object>('lock_responding_group', 'select 1 from groups where id = $1 for update');

/**
 * Answers the responses to each group in batches: those that arrive while a batch is written form the next one.
 *
 * A batch takes the group's turn in the write queue, one statement that reads and one that writes, however many
 * responses it has. Batches of different groups share these statements when they run in the same event-loop iteration.
 * The write is conditional on the revision that was read, so it waits for no row lock. After two collisions with other
 * processes the batch is decided under the row lock, and so are the group's batches of the next second.
 */
export class ResponseBatcher {
  readonly #deps: ResponseBatcherDeps;
  /** By group id; a group is present while its batch waits for the turn. */
  readonly #waiting = new Map<string, WaitingResponse[]>();

  readonly #read: BatchLoader<Responders, RespondingGroup>;
  readonly #store: WriteResponses;
  /** The groups to which another process writes too: an attempt without the lock would probably collide. */
  readonly #contested = new LRUCache<string, true>({ max: MAX_CONTESTED, ttl: CONTESTED_MS });

  constructor(deps: ResponseBatcherDeps) {
    this.#deps = deps;
    this.#read = createBatchLoader(
      (requested) => readRespondingGroups(deps.database, requested),
      ({ groupId }) => groupId,
      ({ group }) => group.id,
    );
    this.#store = createResponseWriter(deps.database);
  }

  /**
   * Applies one response together with those that wait.
   *
   * @returns null when it cannot be decided in a batch, and nothing was written for it
   * @throws UnavailableError `OVERLOADED` when 1,000 responses to the group wait or the write queue is overloaded;
   *   `DATABASE_UNAVAILABLE`, after which the response may have been stored
   */
  respond(request: ResponseRequest): Promise<ResponseOutcome | null> {
    return new Promise((resolve, reject) => {
      const response = { request, resolve, reject };
      const { groupId } = request.params;
      const waiting = this.#waiting.get(groupId);
      if (waiting === undefined) {
        this.#waiting.set(groupId, [response]);
        void this.#takeTurn(groupId);
      } else if (waiting.length < MAX_WAITING) waiting.push(response);
      else reject(overloaded(RETRY_AFTER_SECONDS)());
    });
  }

  async #takeTurn(groupId: string): Promise<void> {
    try {
      await this.#deps.writeQueue.run(groupId, () => this.#answer(groupId, this.#takeWaiting(groupId)));
    } catch (error) {
      for (const { reject } of this.#takeWaiting(groupId)) reject(error);
    }
  }

  #takeWaiting(groupId: string): WaitingResponse[] {
    const waiting = this.#waiting.get(groupId) ?? [];
    this.#waiting.delete(groupId);
    return waiting;
  }

  /** A batch that fails for another reason than the database's absence is decided one by one: see `respond`. */
  async #answer(groupId: string, batch: readonly WaitingResponse[]): Promise<void> {
    try {
      const requests = batch.map(({ request }) => request);
      const outcomes = await this.#apply(groupId, requests);
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes?.[index] ?? null);
    } catch (error) {
      for (const { resolve, reject } of batch) {
        if (error instanceof UnavailableError) reject(error);
        else resolve(null);
      }
    }
  }

  /** @returns null when there is no such group */
  async #apply(groupId: string, requests: readonly ResponseRequest[]): Promise<readonly ResponseOutcome[] | null> {
    for (let attempt = 1; attempt <= MAX_OPTIMISTIC_ATTEMPTS && !this.#contested.has(groupId); attempt += 1) {
      const decision = this.#decide(await this.#read(respondersOf(groupId, requests)), requests);
      if (decision === null || (await this.#write(decision.changes))) return decision?.outcomes ?? null;
      if (attempt === MAX_OPTIMISTIC_ATTEMPTS) this.#contested.set(groupId, true);
    }
    return this.#applyUnderLock(groupId, requests);
  }

  /** The time is taken after the read, so that the times of revisions ascend. */
  #decide(read: RespondingGroup | null, requests: readonly ResponseRequest[]): ResponseDecision | null {
    return read === null ? null : decideResponses(read, requests, this.#deps.clock.now());
  }

  /** @returns false when the group has changed since the read or is being changed; nothing was written then */
  async #write(changes: ResponseChanges): Promise<boolean> {
    if (changes.revisions.length === 0) return true;
    if (!(await this.#store(changes))) return false;
    this.#publish(changes);
    return true;
  }

  /** The row is locked before it is read: a statement that waits for a lock has read the members before its wait. */
  async #applyUnderLock(
    groupId: string,
    requests: readonly ResponseRequest[],
  ): Promise<readonly ResponseOutcome[] | null> {
    const decision = await inTransaction(this.#deps.database, async (em) => {
      const transaction = transactionOf(em);
      await transaction.query(LOCK_GROUP, [groupId]);
      const [read = null] = await readRespondingGroups(transaction, [respondersOf(groupId, requests)]);
      const decided = this.#decide(read, requests);
      if (decided !== null && decided.changes.revisions.length > 0)
        await transaction.query(WRITE_RESPONSES, responseValues([decided.changes]));
      return decided;
    });
    if (decision === null) return null;
    this.#publish(decision.changes);
    return decision.outcomes;
  }

  #publish({ group, revisions }: ResponseChanges): void {
    if (revisions.length > 0) this.#deps.changeFeed.publish(group.id, group.revision);
  }
}

function respondersOf(groupId: string, requests: readonly ResponseRequest[]): Responders {
  return { groupId, userIds: new Set(requests.map(({ params }) => params.userId)) };
}
