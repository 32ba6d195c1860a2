import pg from 'pg';
import { retry } from '../../async/retry.js';
import { isConnectionFailure, translateDatabaseError } from '../errors/database-errors.js';
import { isLongArray, writeLongArrays } from './array-parameters.js';

declare const ROW: unique symbol;

/** A prepared statement: parsed and planned once per connection, under its name. The author guarantees the row type. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  readonly [ROW]?: Row;
}

export function statement<Row>(name: string, text: string): Statement<Row> {
  return { name, text };
}

const ONCE_MORE = { maxAttempts: 2, delayMs: () => 0, isRetryable: isConnectionFailure };

/**
 * Runs a prepared statement outside a transaction, and once more after a connection failure: the pool may hold a
 * connection that the server has closed.
 *
 * @throws UnavailableError `DATABASE_UNAVAILABLE` when both attempts fail
 */
export function runStatementWithRetry<Row>(
  pool: pg.Pool,
  prepared: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  return translated(retry(ONCE_MORE, () => runStatement(pool, prepared, values)));
}

/** Runs a prepared statement once outside a transaction. @throws UnavailableError `DATABASE_UNAVAILABLE` */
export function runStatementOnce<Row>(
  pool: pg.Pool,
  prepared: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  return translated(runStatement(pool, prepared, values));
}

/** Runs a prepared statement once. Times come back as `Date`. @throws Error of the driver */
export async function runStatement<Row>(
  on: pg.Pool | pg.ClientBase,
  prepared: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  // The parsers of MikroORM's pool leave times as text; those of the driver return dates.
  const written = values.some(isLongArray) ? await writeLongArrays(values) : [...values];
  const result = await on.query({ name: prepared.name, text: prepared.text, values: written, types: pg.types });
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- declared with the statement
  return result.rows as Row[];
}

async function translated<T>(running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    throw translateDatabaseError(error);
  }
}
