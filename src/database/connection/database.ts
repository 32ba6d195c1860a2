import { MikroORM, type EntityManager, type Options } from '@mikro-orm/postgresql';
import pg from 'pg';
import { UnavailableError } from '../../errors/index.js';
import { parseDatabaseUrl } from '../address/parse-database-url.js';
import type { DatabaseAddress } from '../client/client-options.js';
import { dropFaultyConnections } from '../client/drop-faulty-connections.js';
import { poolConfig } from '../client/pool-config.js';
import { translateDatabaseError } from '../errors/database-errors.js';
import { addPoolHooks } from './pool-hooks.js';
import type { Queryable } from './queryable.js';
import { runStatement, runStatementWithRetry, type Statement } from './statement.js';

export interface DatabaseOptions extends DatabaseAddress {
  /** Largest number of connections of this process. */
  readonly poolSize: number;
  readonly orm: Partial<Options>;
  /** Called with the driver's messages about broken connections. */
  readonly warn: (message: string) => void;
  /** Called with the cause of each UnavailableError. */
  readonly onUnavailable?: (cause: unknown) => void;
}

/** One pool of connections, used by the unit of work for writes and by prepared statements for reads. */
export interface Database extends Queryable {
  readonly orm: MikroORM;
  readonly pool: pg.Pool;
  /** A fresh unit of work; never shared between requests or jobs. */
  fork(): EntityManager;
  /**
   * Runs a statement that only reads, outside a transaction. Retried once after a connection failure.
   *
   * @throws Error for a statement that writes: see `write`
   */
  query<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs a statement that writes, as a transaction of its own.
   *
   * @param idempotent true to retry it once after a connection failure, when it may have been committed already
   */
  write<Row>(
    statement: Statement<Row>,
    values: readonly unknown[],
    policy: { readonly idempotent: boolean },
  ): Promise<Row[]>;
  /** Translates a database error into a domain error, and reports a cause of unavailability. */
  translate(error: unknown): unknown;
  close(): Promise<void>;
}

/** So that a request is answered within 5 s when the server stops to answer. */
const SILENCE_LIMIT_MS = 4_000;
const STATEMENT_TIMEOUT_MS = 30_000;

const SESSION_SETTINGS = {
  // Statements are prepared once and take arrays: planning them for each array costs more than it gains.
  plan_cache_mode: 'force_generic_plan',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(STATEMENT_TIMEOUT_MS),
};

/** @throws Error of the driver when the server cannot be reached */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  // Not `init`, which loads whatever extensions are installed.
  const orm = new MikroORM({
    ...options.orm,
    dbName: parseDatabaseUrl(options.url).database,
    logger: options.warn,
    pool: { max: options.poolSize },
    driverOptions: {
      ...poolConfig({ ...options, purpose: '', settings: SESSION_SETTINGS, silenceLimitMs: SILENCE_LIMIT_MS }),
      onPoolCreated: (pool: pg.Pool) => {
        addPoolHooks(pool);
        dropFaultyConnections(pool);
      },
    },
  });
  const pool = await nativePool(orm);
  const translate = (error: unknown): unknown => {
    const translated = translateDatabaseError(error);
    if (translated instanceof UnavailableError) options.onUnavailable?.(error);
    return translated;
  };
  const translated = <T>(running: Promise<T>): Promise<T> =>
    running.catch((error: unknown) => {
      throw translate(error);
    });
  return {
    orm,
    pool,
    fork: () => orm.em.fork(),
    query: (statement, values) => translated(runStatementWithRetry(pool, requireRead(statement), values)),
    write: (statement, values, { idempotent }) =>
      translated((idempotent ? runStatementWithRetry : runStatement)(pool, statement, values)),
    translate,
    close: () => orm.close(true),
  };
}

function requireRead<Row>(statement: Statement<Row>): Statement<Row> {
  if (statement.writes)
    throw new Error(`Statement ${statement.name ?? statement.text} writes, so its retries must be decided`);
  return statement;
}

async function nativePool(orm: MikroORM): Promise<pg.Pool> {
  const pool: unknown = await orm.em.getConnection().getNativeClient();
  if (!(pool instanceof pg.Pool)) throw new Error('MikroORM no longer runs on a pg pool');
  return pool;
}
