import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { poll } from '../../../src/async/poll.js';

export const SERVER_URL_VARIABLE = 'CONVENE_TEST_SERVER';
export const TEMPLATE = 'convene_template';

/** Time that a backend may take to end after its client has closed the connection, in milliseconds. */
const CLOSING_MS = 2_000;
const POLL_INTERVAL_MS = 10;

export interface TestDatabase {
  readonly url: string;
  /**
   * Removes the database. All connections to it must be closed.
   *
   * @throws Error with the open connections; the database is removed nevertheless
   */
  drop(): Promise<void>;
}

/** Creates a database for one test file, with the current schema and no rows. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createFrom(TEMPLATE);
}

/** Creates a database without tables, for tests of the migrations. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createFrom('template0');
}

/** Returns the URL of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function createFrom(template: string): Promise<TestDatabase> {
  const serverUrl = process.env[SERVER_URL_VARIABLE];
  if (serverUrl === undefined)
    throw new Error('There is no test server: these tests run under Jest, with its global set-up.');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withClient(serverUrl, (client) => client.query(`create database ${name} template ${template}`));
  return {
    url: databaseUrl(serverUrl, name),
    drop: () => withClient(serverUrl, (client) => dropDatabase(client, name)),
  };
}

async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  const connections = await remainingConnections(client, name);
  await client.query(`drop database ${name} with (force)`);
  if (connections.length === 0) return;
  throw new Error(
    'These connections to the test database are still open; close what opened them (a pool, an ORM, a listener) ' +
      `before drop():\n${connections.join('\n')}`,
  );
}

async function remainingConnections(client: pg.Client, name: string): Promise<string[]> {
  return poll(
    () => findConnections(client, name),
    ({ length }) => length === 0,
    CLOSING_MS,
    POLL_INTERVAL_MS,
  );
}

async function findConnections(client: pg.Client, name: string): Promise<string[]> {
  const { rows } = await client.query<{ connection: string }>(
    `select format('- "%s", %s, last: %s', application_name, state, left(query, 200)) as connection
       from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
    [name],
  );
  return rows.map(({ connection }) => connection);
}
