import type { Migration } from '@mikro-orm/migrations';
import type { Options } from '@mikro-orm/postgresql';
import pg from 'pg';
import { createDatabaseClient } from '../client/database-client.js';

type MigrationEntry = NonNullable<NonNullable<Options['migrations']>['migrationsList']>[number];

/** Compares the executed migrations of a database with those of this version of Convene. */
export interface MigrationState {
  /** Names of the migrations that have not run, in their order. */
  readonly pending: readonly string[];
  /** Names of executed migrations that this version does not have, because a newer version has run them. */
  readonly unknown: readonly string[];
}

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

/** Reads the migrator's table. A database without it has executed no migration. */
export async function migrationState(client: pg.Client, { migrations }: Partial<Options>): Promise<MigrationState> {
  const known = (migrations?.migrationsList ?? []).map(nameOf);
  const executed = await executedMigrations(client, migrations?.tableName ?? 'mikro_orm_migrations');
  return {
    pending: known.filter((name) => !executed.includes(name)),
    unknown: executed.filter((name) => !known.includes(name)),
  };
}

/** Returns the name that the migrator stores, which only an instance has. An instance uses no driver before it runs. */
function nameOf(migration: MigrationEntry): string {
  if ('class' in migration) return migration.name;
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the constructor only stores its arguments
  const instance = new (migration as unknown as new () => Migration)();
  return instance.name ?? migration.name;
}

/** A failed statement would end the transaction that holds the lock of the migrations. */
async function executedMigrations(client: pg.Client, table: string): Promise<string[]> {
  const name = pg.escapeIdentifier(table);
  const { rows: tables } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    name,
  ]);
  if (tables[0]?.exists !== true) return [];
  const { rows } = await client.query<{ name: string }>(`select name from ${name} order by id`);
  return rows.map((row) => row.name);
}
