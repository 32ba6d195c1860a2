import pg from 'pg';
import utils from 'pg/lib/utils.js';
import { forEachInSlices } from '../../async/pacing.js';
import { retry } from '../../async/retry.js';
import { parseTime } from '../../time/stored-time.js';
import { isLostConnection } from '../errors/database-errors.js';

declare const ROW: unique symbol;

/** A statement with the parameters `$1`, `$2`, … The author guarantees the row type. */
export interface Statement<Row> {
  /** Under its name it is parsed and planned once per connection. Null for one that is parsed at each run. */
  readonly name: string | null;
  readonly text: string;
  /** Whether it changes rows, so that a repetition may change them twice. */
  readonly writes: boolean;
  /** Whether its times come back as `TimeText`, for rows that are only shown to clients; otherwise as `Date`. */
  readonly timesAsText: boolean;
  readonly [ROW]?: Row;
}

const WRITES = /\b(insert into|update|delete from)\b/i;
/** Row locks contain the word too. */
const ROW_LOCK = /\bfor (no key )?update\b/gi;

export type StatementOptions = Pick<Statement<unknown>, 'timesAsText'>;

/** A prepared statement. Its name identifies its text in the whole process. */
export function statement<Row>(
  name: string,
  text: string,
  { timesAsText }: StatementOptions = { timesAsText: false },
): Statement<Row> {
  return { ...unnamedStatement<Row>(text), name, timesAsText };
}

/** A statement that runs too rarely to stay prepared, or whose text is built at run time. */
export function unnamedStatement<Row>(text: string): Statement<Row> {
  return { name: null, text, writes: WRITES.test(text.replaceAll(ROW_LOCK, '')), timesAsText: false };
}

/** The driver serializes shorter arrays itself, in a fraction of a slice. */
const MAX_UNSLICED = 256;
const ITEMS_PER_PIECE = 32;

const TIMESTAMPTZ: number = pg.types.builtins.TIMESTAMPTZ;
const parserOfDriver: (id: number, format?: 'text' | 'binary') => unknown = pg.types.getTypeParser;
const TIMES_AS_DATES = parsersWith(parseTime);
const TIMES_AS_TEXT = parsersWith((text) => text);

const ONCE_MORE = { maxAttempts: 2, delayMs: () => 0, isRetryable: isLostConnection };

/**
 * Runs a statement outside a transaction, and once more after a connection failure: the pool may hold a connection that
 * the server has closed.
 *
 * @throws Error of the driver when both attempts fail
 */
export function runStatementWithRetry<Row>(
  pool: pg.Pool,
  toRun: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  return retry(ONCE_MORE, () => runStatement(pool, toRun, values));
}

/** What runs a statement: the pool, one of its clients, or a transaction. */
interface StatementClient {
  query(config: pg.QueryConfig): Promise<{ readonly rows: unknown[] }>;
}

/** Runs a statement once. @throws Error of the driver */
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
function queryConfig({ name, text, timesAsText }: Statement<unknown>, values: unknown[]): pg.QueryConfig {
  const types = timesAsText ? TIMES_AS_TEXT : TIMES_AS_DATES;
  return name === null ? { text, values, types } : { name, text, values, types };
}

/** The parsers of the driver, with another one for times, because its own takes most of the time of a page of rows. */
function parsersWith(parse: (text: string) => unknown): pg.CustomTypesConfig {
  return {
    getTypeParser: (id: number, format?: 'text' | 'binary'): unknown =>
      id === TIMESTAMPTZ && format !== 'binary' ? parse : parserOfDriver(id, format),
  };
}

/** Serializes long arrays in slices, to the text to which the driver serializes them in one step. */
export async function writeLongArrays(values: readonly unknown[]): Promise<unknown[]> {
  const written: unknown[] = [];
  for (const value of values) written.push(isLongArray(value) ? await arrayLiteral(value) : value);
  return written;
}

function isLongArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > MAX_UNSLICED;
}

async function arrayLiteral(items: readonly unknown[]): Promise<string> {
  const pieces: string[] = [];
  const writePiece = (piece: readonly unknown[]): void => {
    pieces.push(String(utils.prepareValue(piece)).slice(1, -1));
  };
  await forEachInSlices(piecesOf(items), writePiece, { itemsPerClockReading: 1 });
  return `{${pieces.join(',')}}`;
}

function* piecesOf(items: readonly unknown[]): Generator<readonly unknown[]> {
  for (let start = 0; start < items.length; start += ITEMS_PER_PIECE) yield items.slice(start, start + ITEMS_PER_PIECE);
}
