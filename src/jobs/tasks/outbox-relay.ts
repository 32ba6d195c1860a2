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

const BATCH_SIZE = 100;
/** A task that has been due for a shorter time is probably being dispatched. */
const DISPATCH_GRACE_MS = 1_500;
const MIN_POLL_DELAY_MS = 1_000;
/** Upper bound of the random delay that spreads the polls of many processes. */
const POLL_SPREAD_MS = 2_000;
/** The delay after a full batch. */
const BATCH_DELAY_MS = 5;

/**
 * Polls for due tasks that no process runs, and submits them to this process's runner. Their process was killed between
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
    if (found !== 'UNREACHABLE') graceMs = DISPATCH_GRACE_MS;
    await abortableDelay(
      found === 'MORE' ? BATCH_DELAY_MS : MIN_POLL_DELAY_MS + POLL_SPREAD_MS * Math.random(),
      signal,
    );
  }
}

/** @returns `MORE` after a full batch whose tasks have all started */
async function poll(
  { database, clock, submit, health }: OutboxRelayDeps,
  graceMs: number,
): Promise<'MORE' | 'ALL' | 'UNREACHABLE'> {
  try {
    const ids = await findDueTaskIds(database, new Date(clock.now().getTime() - graceMs), BATCH_SIZE);
    health.reportSuccess();
    const started = await Promise.all(ids.map(submit));
    return ids.length === BATCH_SIZE && started.every(Boolean) ? 'MORE' : 'ALL';
  } catch (error) {
    health.reportFailure(error);
    return 'UNREACHABLE';
  }
}
