import { createDatabaseClient } from '../../client/database-client.js';
import { SUPERUSER } from './cluster.js';

const DATABASE = 'convene';

/** The URL of a database on the embedded server. The password is hexadecimal, so it needs no escaping. */
export function databaseUrl(port: number, password: string, database = DATABASE): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

/** Creates the service's database at the first start. */
export async function ensureDatabase(port: number, password: string): Promise<void> {
  const client = createDatabaseClient({ url: databaseUrl(port, password, 'postgres'), purpose: 'set-up' });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
