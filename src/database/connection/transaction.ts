import type { EntityManager } from '@mikro-orm/postgresql';
import { backoffMs, retry } from '../../async/retry.js';
import { isConcurrencyFailure, isLostConnection } from '../errors/database-errors.js';
import type { Database } from './database.js';

const MAX_ATTEMPTS = 4;
const MAX_FIRST_DELAY_MS = 20;

/**
 * Runs `work` in one transaction on a fresh unit of work, and commits it.
 *
 * A serialization failure, a deadlock or a connection lost before the commit is retried, at most three times. So `work`
 * must be safe to run twice, and must have no effect outside the database. A connection lost during the commit is not
 * retried, because the transaction may have been committed.
 *
 * @throws what `work` throws; constraint violations as translated by `translateDatabaseError`;
 *   UnavailableError `DATABASE_UNAVAILABLE`, or `OVERLOADED` when the last attempt was a serialization failure or
 *   deadlock
 */
export async function inTransaction<T>(database: Database, work: (em: EntityManager) => Promise<T>): Promise<T> {
  let isCommitting = false;
  const policy = {
    maxAttempts: MAX_ATTEMPTS,
    delayMs: (failures: number) => backoffMs(MAX_FIRST_DELAY_MS, failures) * Math.random(),
    isRetryable: (error: unknown) => isConcurrencyFailure(error) || (isLostConnection(error) && !isCommitting),
  };
  try {
    return await retry(policy, () => {
      isCommitting = false;
      return runOnce(database.fork(), work, () => (isCommitting = true));
    });
  } catch (error) {
    throw database.translate(error);
  }
}

/** Flushes the unit of work before the commit, so that only the outcome of the commit itself can be unknown. */
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

/** Ignores a failed rollback, which must not replace the error of the work. */
async function rollBack(em: EntityManager): Promise<void> {
  try {
    await em.rollback();
  } catch {
    // The server rolls back when the connection ends.
  }
}
