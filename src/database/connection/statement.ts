import pg from 'pg';
import { retry } from '../../async/retry.js';
import { isConnectionFailure, translateDatabaseError } from '../errors/database-errors.js';
import { isLongArray, writeLongArrays } from './array-parameters.js';

declare const ROW: unique symbol;

/** A statement with the parameters `$1`, `$2`, … The author guarantees the row type. */
export interface Statement<Row> {
  /** Under its name it is parsed and planned once per connection. Null for one that is parsed at each run. */
  readonly name: string | null;
  readonly text: string;
  /** Whether it changes rows, so that a repetition may change them twice. */
  readonly writes: boolean;
  readonly [ROW]?: Row;
}

const WRITES = /\b(insert into|update|delete from)\b/i;
/** Row locks contain the word too. */
const ROW_LOCK = /\bfor (no key )?update\b/gi;

/** A prepared statement. Its name identifies its text in the whole process. */
export function statement<Row>(name: string, text: string): Statement<Row> {
  return { ...unnamedStatement<Row>(text), name };
}

/** A statement that runs too rarely to stay prepared, or whose text is built at run time. */
export function unnamedStatement<Row>(text: string): Statement<Row> {
  return { name: null, text, writes: WRITES.test(text.replaceAll(ROW_LOCK, '')) };
}

const ONCE_MORE = { maxAttempts: 2, delayMs: () => 0, isRetryable: isConnectionFailure };

/**
 * Runs a statement outside a transaction, and once more after a connection failure: the pool may hold a connection that
 * the server has closed.
 *
 * @throws UnavailableError `DATABASE_UNAVAILABLE` when both attempts fail
 */
export function runStatementWithRetry<Row>(
  pool: pg.Pool,
  toRun: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  return translated(retry(ONCE_MORE, () => runStatement(pool, toRun, values)));
}

/** Runs a statement once outside a transaction. @throws UnavailableError `DATABASE_UNAVAILABLE` */
export function runStatementOnce<Row>(
  pool: pg.Pool,
  toRun: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  return translated(runStatement(pool, toRun, values));
}

/** What runs a statement: the pool, one of its clients, or a transaction. */
interface StatementClient {
  query(config: pg.QueryConfig): Promise<{ readonly rows: unknown[] }>;
}

/** Runs a statement once. Times come back as `Date`. @throws Error of the driver */
export async function runStatement<Row>(
  client: StatementClient,
  toRun: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const written = values.some(isLongArray) ? await writeLongArrays(values) : [...values];
  const { rows } = await client.query(queryConfig(toRun, written));
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- declared with the statement
  return rows as Row[];
}

/** The only place that names a statement to the driver. The parsers of MikroORM's pool would leave times as text. */
function queryConfig({ name, text }: Statement<unknown>, values: unknown[]): pg.QueryConfig {
  return { ...(name === null ? {} : { name }), text, values, types: pg.types };
}

async function translated<T>(running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    throw translateDatabaseError(error);
  }
}
