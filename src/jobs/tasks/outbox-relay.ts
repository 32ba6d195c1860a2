import type { Clock } from '../../accounts/index.js';
import { abortableDelay } from '../../async/abortable-delay.js';
import type { HealthMonitor } from '../../async/health-monitor.js';
import type { Database } from '../../database/connection/database.js';
import { findDueTaskIds } from '../../database/outbox/find-due-task-ids.js';
import type { TaskRunner } from './task-runner.js';

export interface OutboxRelayDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly submit: TaskRunner['submit'];
  readonly health: HealthMonitor;
}

export interface OutboxRelay {
  stop(): Promise<void>;
}

const BATCH = 100;
/** A task that is due for less than this is probably being dispatched. */
const GRACE_MS = 1_500;
const MIN_POLL_DELAY_MS = 1_000;
/** Spreads the polls of many processes. */
const POLL_SPREAD_MS = 2_000;
/** Between two full batches. */
const BATCH_DELAY_MS = 5;

/**
 * Polls for due tasks that no process runs, and submits them to this process's runner: their process was killed between
 * commit and dispatch, or the dispatch was lost.
 *
 * The first poll runs immediately and includes every due task.
 */
export function startOutboxRelay(deps: OutboxRelayDeps): OutboxRelay {
  const stopping = new AbortController();
  const ended = pollUntil(stopping.signal, deps);
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function pollUntil(signal: AbortSignal, deps: OutboxRelayDeps): Promise<void> {
  let graceMs = 0;
  while (!signal.aborted) {
    const found = await poll(deps, graceMs);
    if (found !== 'UNREACHABLE') graceMs = GRACE_MS;
    await abortableDelay(
      found === 'MORE' ? BATCH_DELAY_MS : MIN_POLL_DELAY_MS + POLL_SPREAD_MS * Math.random(),
      signal,
    );
  }
}

/** @returns `MORE` when a full batch was found and all of it has begun */
async function poll(
  { database, clock, submit, health }: OutboxRelayDeps,
  graceMs: number,
): Promise<'MORE' | 'ALL' | 'UNREACHABLE'> {
  try {
    const ids = await findDueTaskIds(database, new Date(clock.now().getTime() - graceMs), BATCH);
    health.reportSuccess();
    const begun = await Promise.all(ids.map(submit));
    return ids.length === BATCH && begun.every(Boolean) ? 'MORE' : 'ALL';
  } catch (error) {
    health.reportFailure(error);
    return 'UNREACHABLE';
  }
}
