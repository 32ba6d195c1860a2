import pg from 'pg';
import { isConnectionFailure, translateDatabaseError } from '../errors/database-errors.js';

declare const ROW: unique symbol;

/** A prepared statement: parsed and planned once per connection, under its name. The row type is what its author vouches for. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  readonly [ROW]?: Row;
}

export function statement<Row>(name: string, text: string): Statement<Row> {
  return { name, text };
}

/**
 * Runs a prepared statement, once more when it met a connection that the server had already ended.
 *
 * @throws UnavailableError `DATABASE_UNAVAILABLE`
 */
export async function runStatementWithRetry<Row>(
  pool: pg.Pool,
  read: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  try {
    return await runStatement(pool, read, values);
  } catch (error) {
    if (!isConnectionFailure(error)) throw translateDatabaseError(error);
  }
  try {
    return await runStatement(pool, read, values);
  } catch (error) {
    throw translateDatabaseError(error);
  }
}

/** Runs a prepared statement once. @throws Error of the driver */
export async function runStatement<Row>(
  on: pg.Pool | pg.ClientBase,
  read: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  // The pool's own parsers leave times as text, for MikroORM; the driver's make them dates.
  const result = await on.query({ name: read.name, text: read.text, values: [...values], types: pg.types });
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the statement's author vouches for its rows
  return result.rows as Row[];
}
