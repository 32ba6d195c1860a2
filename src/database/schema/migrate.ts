import { MikroORM, type Options } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { abortableDelay } from '../../async/abortable-delay.js';
import { OperatorError } from '../../errors/index.js';
import { parseDatabaseUrl } from '../address/parse-database-url.js';
import type { DatabaseAddress, Pooler } from '../client/client-options.js';
import { createDatabaseClient } from '../client/database-client.js';
import { poolConfig } from '../client/pool-config.js';
import { migrationState } from './migration-state.js';
import { findServerProblems } from './server-problems.js';

/** Key of the advisory lock: a constant that no other program of the database uses. */
const MIGRATION_LOCK = 7_266_331;

const LOCK_POLL_INTERVAL_MS = 500;
/** A migration that waits longer for a table fails, instead of blocking all who use the table meanwhile. */
const TABLE_LOCK_TIMEOUT_MS = 30_000;

export interface MigrateOptions {
  readonly pooler?: Pooler | undefined;
  /** Called once when another process holds the lock. */
  readonly onWait?: () => void;
  /** Ends the wait for the lock. */
  readonly stop?: AbortSignal | undefined;
}

/** The signal came while another process migrated. */
export class MigrationInterruptedError extends Error {}

/**
 * Runs the pending migrations, under an advisory lock that orders processes which start concurrently.
 *
 * @returns the names of the migrations that ran, in order; empty when none was pending
 * @throws OperatorError when the server cannot be used
 * @throws MigrationInterruptedError when `stop` is aborted while another process holds the lock
 */
export async function migrate(url: string, orm: Partial<Options>, options: MigrateOptions = {}): Promise<string[]> {
  const address = { url, pooler: options.pooler ?? 'none' };
  return withLock(address, options, async (client) => {
    const { pending } = await migrationState(client, orm);
    const problems = await findServerProblems(client, pending.length > 0);
    if (problems.length > 0) throw new OperatorError(problems.join('\n'));
    // Most starts have no pending migration and need no migrator.
    if (pending.length === 0) return [];
    return withOrm(address, inSchema(orm, await currentSchema(client)), async (connected) => {
      const done = await connected.migrator.up();
      return done.map(({ name }) => name);
    });
  });
}

/** Without a schema, the migrator creates its table in `public`, whatever the search path of the connection. */
function inSchema(orm: Partial<Options>, schema: string): Partial<Options> {
  return { ...orm, migrations: { ...orm.migrations, schema } };
}

async function currentSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_schema() as name');
  return rows[0]?.name ?? 'public';
}

async function withOrm<T>(
  address: DatabaseAddress,
  orm: Partial<Options>,
  work: (orm: MikroORM) => Promise<T>,
): Promise<T> {
  const connected = new MikroORM({
    ...orm,
    dbName: parseDatabaseUrl(address.url).database,
    driverOptions: poolConfig({
      ...address,
      purpose: 'migrate',
      settings: { lock_timeout: String(TABLE_LOCK_TIMEOUT_MS) },
    }),
    logger: silent,
  });
  try {
    return await work(connected);
  } finally {
    await connected.close(true);
  }
}

/** Drops the output of the migrator, because `migrate` returns the executed migrations. */
function silent(): void {
  // Drops its arguments.
}

/** The lock lasts as long as a transaction, because a pooler would keep a lock of the session. */
async function withLock<T>(
  address: DatabaseAddress,
  options: MigrateOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = createDatabaseClient({ ...address, purpose: 'migrate' });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local idle_in_transaction_session_timeout = 0');
    await takeLock(client, options);
    return await work(client);
  } finally {
    await client.end();
  }
}

async function takeLock(client: pg.Client, { onWait, stop }: MigrateOptions): Promise<void> {
  for (let isFirst = true; !(await tryLock(client)); isFirst = false) {
    if (isFirst) onWait?.();
    await abortableDelay(LOCK_POLL_INTERVAL_MS, stop);
    if (stop?.aborted === true) throw new MigrationInterruptedError('Interrupted while another process migrates');
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [
    MIGRATION_LOCK,
  ]);
  return rows[0]?.taken === true;
}
