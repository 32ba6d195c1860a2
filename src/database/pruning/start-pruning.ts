import { abortableDelay } from '../../async/abortable-delay.js';
import { MINUTE_MS } from '../../async/durations.js';
import type { Database } from '../connection/database.js';
import { prune } from './prune.js';
import type { RetentionRule } from './retention-rule.js';

export interface PruningDeps {
  readonly database: Pick<Database, 'pool'>;
  readonly clock: { now(): Date };
  /** One after the other, in this order. */
  readonly outdated: readonly RetentionRule[];
  /** Called with every error; the next round retries. */
  readonly onError: (error: unknown) => void;
}

const PRUNE_INTERVAL_MS = MINUTE_MS;
/** Spreads the work of many processes. */
const PRUNE_SPREAD_MS = 30_000;

/** Deletes the rows of all retention rules about once a minute. */
export function startPruning(deps: PruningDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const ended = pruneUntil(stopping.signal, deps);
  return {
    // Waits for the batch in flight, so that the database can be closed next.
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function pruneUntil(signal: AbortSignal, deps: PruningDeps): Promise<void> {
  while (await abortableDelay(PRUNE_INTERVAL_MS + Math.random() * PRUNE_SPREAD_MS, signal))
    await pruneAll(deps, signal);
}

/** The failure of one rule does not keep the others from being applied. */
export async function pruneAll(
  { database, clock, outdated, onError }: PruningDeps,
  signal: AbortSignal,
): Promise<void> {
  for (const each of outdated) await prune(database.pool, each, clock.now(), signal).catch(onError);
}
