import type pg from 'pg';
import type { CommandDatabase } from '../command-database.js';
import type { CheckResult } from './check-result.js';

const OLDEST_MAJOR_VERSION = 15;

const WHOSE = {
  own: 'of DATABASE_URL',
  beside: 'embedded, with a service running on it',
  started: 'embedded, with no service running on it',
} as const satisfies Record<CommandDatabase['kind'], string>;

export async function checkServer(client: pg.Client, kind: CommandDatabase['kind']): Promise<CheckResult> {
  const {
    rows: [server],
  } = await client.query<{ server_version: string }>('show server_version');
  const version = server?.server_version ?? '';
  const text = `PostgreSQL ${version}, ${WHOSE[kind]}`;
  return Number.parseInt(version) >= OLDEST_MAJOR_VERSION
    ? { about: 'Database', state: 'fine', text }
    : { about: 'Database', state: 'wrong', text: `${text}: version ${OLDEST_MAJOR_VERSION} or later is needed.` };
}
