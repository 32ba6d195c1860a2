import { MikroORM, type EntityManager, type Options } from '@mikro-orm/postgresql';
import pg from 'pg';
import { parseDatabaseUrl } from '../address/parse-database-url.js';
import type { DatabaseAddress } from '../client/client-options.js';
import { poolConfig } from '../client/pool-config.js';
import { addPoolHooks } from './pool-hooks.js';
import type { Queryable } from './queryable.js';
import { runStatementOnce, runStatementWithRetry, type Statement } from './statement.js';

export interface DatabaseOptions extends DatabaseAddress {
  /** Largest number of connections of this process. */
  readonly poolSize: number;
  readonly orm: Partial<Options>;
  /** Called with the driver's messages about broken connections. */
  readonly warn: (message: string) => void;
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
  close(): Promise<void>;
}

const STATEMENT_TIMEOUT_MS = 30_000;

const SESSION_SETTINGS = {
  // Statements are prepared once and take arrays: planning them for each array costs more than it gains.
  plan_cache_mode: 'force_generic_plan',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(STATEMENT_TIMEOUT_MS),
};

/** @throws Error of the driver when the server cannot be reached */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const orm = await MikroORM.init({
    ...options.orm,
    dbName: parseDatabaseUrl(options.url).database,
    logger: options.warn,
    pool: { max: options.poolSize },
    driverOptions: {
      ...poolConfig({ ...options, purpose: '', settings: SESSION_SETTINGS }),
      onPoolCreated: addPoolHooks,
    },
  });
  const pool = await nativePool(orm);
  return {
    orm,
    pool,
    fork: () => orm.em.fork(),
    query: (statement, values) => runStatementWithRetry(pool, requireRead(statement), values),
    write: (statement, values, { idempotent }) =>
      (idempotent ? runStatementWithRetry : runStatementOnce)(pool, statement, values),
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
