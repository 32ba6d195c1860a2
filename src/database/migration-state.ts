import type { Options } from '@mikro-orm/postgresql';
import pg from 'pg';

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
  const client = new pg.Client({ connectionString: url, application_name: 'convene migrate' });
  await client.connect();
  try {
    return await migrationState(client, orm);
  } finally {
    await client.end();
  }
}

/** Reads the migrator's own table; a database that has none has seen no migration. */
export async function migrationState(client: pg.Client, { migrations }: Partial<Options>): Promise<MigrationState> {
  const known = (migrations?.migrationsList ?? []).map(({ name }) => name);
  const executed = await executedMigrations(client, migrations?.tableName ?? 'mikro_orm_migrations');
  return {
    pending: known.filter((name) => !executed.includes(name)),
    unknown: executed.filter((name) => !known.includes(name)),
  };
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
