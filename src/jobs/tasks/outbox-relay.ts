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
/** What is due for less than this is on its way already. */
const GRACE_MS = 1_500;
const SHORTEST_PAUSE_MS = 1_000;
/** Spreads the looks of many processes. */
const PAUSE_SPREAD_MS = 2_000;
/** Between two full batches. */
const BREATHER_MS = 5;

/**
 * Looks again and again for tasks that are due and that nobody runs, and has them run here: those whose process was
 * killed between commit and dispatch, or whose dispatch was lost.
 *
 * The first look is at once, and takes everything that is due.
 */
export function startOutboxRelay(deps: OutboxRelayDeps): OutboxRelay {
  const stopping = new AbortController();
  const ended = lookUntil(stopping.signal, deps);
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function lookUntil(signal: AbortSignal, deps: OutboxRelayDeps): Promise<void> {
  let graceMs = 0;
  while (!signal.aborted) {
    const found = await look(deps, graceMs);
    if (found !== 'UNREACHABLE') graceMs = GRACE_MS;
    await abortableDelay(found === 'MORE' ? BREATHER_MS : SHORTEST_PAUSE_MS + PAUSE_SPREAD_MS * Math.random(), signal);
  }
}

/** `MORE`: a full batch was found, and all of it begun. */
async function look(
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
