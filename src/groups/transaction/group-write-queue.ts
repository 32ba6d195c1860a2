import { KeyedSemaphore } from '../../async/keyed-semaphore.js';

/** At 5 ms a change, a full queue takes 5 s. */
const MOST_WAITING = 1_000;
const LONGEST_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

class Turn {
  readonly groupId: string;
  /** A member that is not public keeps other objects from having this type. */
  protected readonly isTurn = true;

  constructor(groupId: string) {
    this.groupId = groupId;
  }
}

/** Right to lock one group's row until the queued work ends. Only `GroupWriteQueue` creates one, so no writer can bypass it. */
export type GroupTurn = Turn;

/**
 * Queue of the writers of each group: one at a time in this process, in the order of their arrival.
 *
 * Every writer waits here before it opens a transaction. Waiting for the group's row lock would hold a database connection, and
 * the writers of one group could hold them all.
 */
export class GroupWriteQueue {
  readonly #turns = new KeyedSemaphore({
    concurrency: 1,
    maxQueueLength: MOST_WAITING,
    longestWaitMs: LONGEST_WAIT_MS,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

  /**
   * Runs a request's change of a group.
   *
   * @throws UnavailableError `OVERLOADED` when 1,000 writers of the group wait already, or after a wait of 10 s
   */
  run<T>(groupId: string, work: (turn: GroupTurn) => Promise<T>): Promise<T> {
    return this.#turns.run(groupId, () => work(new Turn(groupId)));
  }

  /** The same for a task, which is never refused: the task runner bounds how many tasks wait. */
  runTask<T>(groupId: string, work: (turn: GroupTurn) => Promise<T>): Promise<T> {
    return this.#turns.runUnbounded(groupId, () => work(new Turn(groupId)));
  }

  /** The same as `run` for a request that locks several groups. */
  runOnAll<T>(groupIds: readonly string[], work: () => Promise<T>): Promise<T> {
    return enterAll(groupIds, (groupId, next) => this.run(groupId, next), work);
  }

  /** The same as `runTask` for a task that changes several groups. */
  runTaskOnAll<T>(groupIds: readonly string[], work: () => Promise<T>): Promise<T> {
    return enterAll(groupIds, (groupId, next) => this.runTask(groupId, next), work);
  }
}

/** Waits for one group after the other in ascending order of id, as row locks are taken, so that no two callers wait for each other. */
function enterAll<T>(
  groupIds: readonly string[],
  enter: (groupId: string, next: () => Promise<T>) => Promise<T>,
  work: () => Promise<T>,
): Promise<T> {
  return [...new Set(groupIds)]
    .toSorted()
    .reduceRight<() => Promise<T>>((next, groupId) => () => enter(groupId, next), work)();
}
