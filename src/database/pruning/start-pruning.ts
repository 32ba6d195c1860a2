import { abortableDelay } from '../../async/abortable-delay.js';
import type { Database } from '../connection/database.js';
import { prune } from './prune.js';
import type { RetentionRule } from './retention-rule.js';

export interface PruningDeps {
  readonly database: Pick<Database, 'pool'>;
  readonly clock: { now(): Date };
  /** One after the other, in this order. */
  readonly outdated: readonly RetentionRule[];
  /** Hears of every failure; the next round tries again. */
  readonly onError: (error: unknown) => void;
}

const PRUNE_EVERY_MS = 60_000;
/** Spreads the work of many processes. */
const PRUNE_SPREAD_MS = 30_000;

/** Erases about once a minute what is of no use any more. */
export function startPruning(deps: PruningDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const ended = pruneUntil(stopping.signal, deps);
  return {
    // Waits for a batch under way, so that the database can be closed next.
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function pruneUntil(signal: AbortSignal, deps: PruningDeps): Promise<void> {
  while (await abortableDelay(PRUNE_EVERY_MS + Math.random() * PRUNE_SPREAD_MS, signal)) await pruneAll(deps, signal);
}

/** One that cannot be pruned keeps the others from nothing. */
export async function pruneAll(
  { database, clock, outdated, onError }: PruningDeps,
  signal: AbortSignal,
): Promise<void> {
  for (const each of outdated) await prune(database.pool, each, clock.now(), signal).catch(onError);
}
