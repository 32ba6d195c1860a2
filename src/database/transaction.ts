import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isConcurrencyFailure, isConnectionFailure, translateDatabaseError } from './database-errors.js';
import type { Database } from './database.js';

const MOST_ATTEMPTS = 4;
const BASE_PAUSE_MS = 10;

/**
 * Runs `work` in one transaction on a fresh unit of work, and commits it.
 *
 * A serialization failure, a deadlock or a connection lost before the commit begins it anew, at most three
 * times: `work` must be safe to run twice, and does nothing outside the database. A commit whose answer was
 * lost is not repeated, since it may have happened.
 *
 * @throws what `work` throws; constraint violations as the reasons of `failures.ts`;
 *   UnavailableError `DATABASE_UNAVAILABLE`, or `OVERLOADED` when others kept winning
 */
export async function inTransaction<T>(database: Database, work: (em: EntityManager) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    let committing = false;
    try {
      return await runOnce(database.fork(), work, () => (committing = true));
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !mayRepeat(error, committing)) throw translateDatabaseError(error);
      await delay(BASE_PAUSE_MS * 2 ** attempt * Math.random());
    }
  }
}

/** The unit of work is flushed before the commit, so that only the commit itself can be cut off unknown. */
async function runOnce<T>(
  em: EntityManager,
  work: (em: EntityManager) => Promise<T>,
  onCommit: () => void,
): Promise<T> {
  await em.begin();
  try {
    const result = await work(em);
    await em.flush();
    onCommit();
    await em.commit();
    return result;
  } catch (error) {
    await rollBack(em);
    throw error;
  }
}

/** A rollback that fails (the connection is gone) must not hide why the work failed. */
async function rollBack(em: EntityManager): Promise<void> {
  try {
    await em.rollback();
  } catch {
    // The server has rolled back by itself when the connection ended.
  }
}

function mayRepeat(error: unknown, committing: boolean): boolean {
  return isConcurrencyFailure(error) || (isConnectionFailure(error) && !committing);
}
