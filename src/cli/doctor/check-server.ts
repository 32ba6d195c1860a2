import type pg from 'pg';
import { findServerProblems } from '../../database/schema/server-problems.js';
import type { CommandDatabase } from '../execution/command-database.js';
import type { CheckResult } from './check-result.js';

const ORIGINS = {
  external: 'of DATABASE_URL',
  shared: 'embedded, with a service running on it',
  temporary: 'embedded, with no service running on it',
} as const satisfies Record<CommandDatabase['kind'], string>;

/** Checks version, encoding and rights by the rule of the start. */
export async function checkServer(
  client: pg.Client,
  kind: CommandDatabase['kind'],
  willMigrate: boolean,
): Promise<CheckResult> {
  const subject = 'Database';
  const problems = await findServerProblems(client, willMigrate);
  if (problems.length > 0) return { subject, state: 'error', text: problems.join('\n') };
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  return { subject, state: 'ok', text: `PostgreSQL ${rows[0]?.server_version ?? ''}, ${ORIGINS[kind]}` };
}
