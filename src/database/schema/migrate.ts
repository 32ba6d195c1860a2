import { MikroORM, type Options } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { OperatorError } from '../../errors/index.js';
import { parseDatabaseUrl } from '../address/parse-database-url.js';
import { createDatabaseClient } from '../client/database-client.js';
import { poolConfig } from '../client/pool-config.js';
import { migrationState } from './migration-state.js';

/** Key of the advisory lock: a constant that no other program of the database uses. */
const MIGRATION_LOCK = 7_266_331;

/**
 * Runs the pending migrations, under an advisory lock that orders processes which start concurrently.
 *
 * @returns the names of the migrations that ran, in order; empty when none was pending
 */
export async function migrate(url: string, orm: Partial<Options>): Promise<string[]> {
  return withLock(url, async (client) => {
    const { pending } = await migrationState(client, orm);
    // Most starts have no pending migration and need no migrator.
    if (pending.length === 0) return [];
    return withOrm(url, inSchema(orm, await currentSchema(client)), async (connected) => {
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
  const { rows } = await client.query<{ name: string | null }>('select current_schema() as name');
  const name = rows[0]?.name ?? null;
  if (name !== null) return name;
  throw new OperatorError(
    'The search path of the database connection names no schema that exists: ' +
      'create it, or see options in DATABASE_URL.',
  );
}

async function withOrm<T>(url: string, orm: Partial<Options>, work: (orm: MikroORM) => Promise<T>): Promise<T> {
  const connected = await MikroORM.init({
    ...orm,
    dbName: parseDatabaseUrl(url).database,
    driverOptions: poolConfig({ url, purpose: 'migrate' }),
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

async function withLock<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = createDatabaseClient({ url, purpose: 'migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await work(client);
  } finally {
    await client.end();
  }
}
