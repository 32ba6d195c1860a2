import { readFile, rm } from 'node:fs/promises';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedServer } from '../../src/database/embedded/embedded-server.js';
import { createBenchFolder } from '../measure.js';

const SEEDS = new URL('seeds/', import.meta.url);
/** For the pools of all programs. */
const CONNECTIONS = 300;

/** The one PostgreSQL server of all subjects, in a temporary folder. */
export interface BenchServer {
  readonly folder: string;
  /** Process id of the server. */
  readonly postmaster: number;
  /** URL of a database that no subject uses. */
  readonly adminUrl: string;
  /** Creates a database and returns its URL. @param template database whose tables and rows it gets */
  createDatabase(name: string, template?: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startBenchServer(): Promise<BenchServer> {
  const folder = await createBenchFolder();
  const server = await startEmbeddedServer({
    dataDir: folder,
    log: pino({ level: 'silent' }),
    connections: CONNECTIONS,
  });
  const [row] = await runSql<{ file: string }>(server.url, `select pg_read_file('postmaster.pid') as file`);
  return {
    folder,
    adminUrl: server.url,
    postmaster: Number(row?.file.split('\n', 1)[0]),
    createDatabase: async (name, template = 'template1') => {
      await runSql(server.url, `create database ${name} template ${template}`);
      return Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
    },
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function runSql<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values === undefined ? undefined : [...values])).rows;
  } finally {
    await client.end();
  }
}

/** @param hash replaces `$HASH` */
export async function seed(url: string, files: readonly string[], hash = ''): Promise<void> {
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, SEEDS), 'utf8')));
  await runSql(
    url,
    texts.join('\n').replaceAll('$HASH', () => hash),
  );
  await runSql(url, 'vacuum analyze');
}
