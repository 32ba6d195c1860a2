import type { Migration } from '@mikro-orm/migrations';
import type { Options } from '@mikro-orm/postgresql';
import pg from 'pg';
import { createDatabaseClient } from '../client/database-client.js';

type MigrationEntry = NonNullable<NonNullable<Options['migrations']>['migrationsList']>[number];

/** How a database's schema compares with the one that this version of Convene works on. */
export interface MigrationState {
  /** Have yet to run, in their order. */
  readonly pending: readonly string[];
  /** Have run, but are unknown here: a newer version of Convene was at work. */
  readonly unknown: readonly string[];
}

const UNDEFINED_TABLE = '42P01';

/** @throws Error of the driver when the server cannot be reached */
export async function readMigrationState(url: string, orm: Partial<Options>): Promise<MigrationState> {
  const client = createDatabaseClient({ url, purpose: 'migrate' });
  await client.connect();
  try {
    return await migrationState(client, orm);
  } finally {
    await client.end();
  }
}

/** Reads the migrator's own table; a database that has none has seen no migration. */
export async function migrationState(client: pg.Client, { migrations }: Partial<Options>): Promise<MigrationState> {
  const known = (migrations?.migrationsList ?? []).map(nameOf);
  const executed = await executedMigrations(client, migrations?.tableName ?? 'mikro_orm_migrations');
  return {
    pending: known.filter((name) => !executed.includes(name)),
    unknown: executed.filter((name) => !known.includes(name)),
  };
}

/**
 * The name that the migrator keeps: a migration says it once it is made, and does nothing with a driver before it runs.
 */
function nameOf(migration: MigrationEntry): string {
  if ('class' in migration) return migration.name;
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the constructor only keeps what it is given
  const made = new (migration as unknown as new () => Migration)();
  return made.name ?? migration.name;
}

async function executedMigrations(client: pg.Client, table: string): Promise<string[]> {
  try {
    const { rows } = await client.query<{ name: string }>(`select name from ${pg.escapeIdentifier(table)} order by id`);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return [];
    throw error;
  }
}
