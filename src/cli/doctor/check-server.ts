import type pg from 'pg';
import type { CommandDatabase } from '../execution/command-database.js';
import type { CheckResult } from './check-result.js';

const MIN_MAJOR_VERSION = 15;

const ORIGINS = {
  external: 'of DATABASE_URL',
  shared: 'embedded, with a service running on it',
  temporary: 'embedded, with no service running on it',
} as const satisfies Record<CommandDatabase['kind'], string>;

export async function checkServer(client: pg.Client, kind: CommandDatabase['kind']): Promise<CheckResult> {
  const {
    rows: [server],
  } = await client.query<{ server_version: string }>('show server_version');
  const version = server?.server_version ?? '';
  const text = `PostgreSQL ${version}, ${ORIGINS[kind]}`;
  return Number.parseInt(version) >= MIN_MAJOR_VERSION
    ? { subject: 'Database', state: 'ok', text }
    : { subject: 'Database', state: 'error', text: `${text}: version ${MIN_MAJOR_VERSION} or later is needed.` };
}
