import type pg from 'pg';
import type { Settings } from '../../config/index.js';
import { createDatabaseClient } from '../../database/client/database-client.js';
import type { CheckResult } from './check-result.js';

const subject = 'Pooler';

/**
 * Checks DATABASE_POOLER. A pooler in transaction mode shows when two clients share a session of the server, which is
 * likely but not certain.
 *
 * @returns null without a pooler
 */
export async function checkPooler(
  { DATABASE_POOLER: pooler, DATABASE_DIRECT_URL: directUrl }: Settings,
  client: pg.Client,
  url: string,
): Promise<CheckResult | null> {
  if (pooler !== 'transaction' && (await isSessionShared(client, url)))
    return {
      subject,
      state: 'error',
      text: 'DATABASE_URL leads to a pooler in transaction mode: set DATABASE_POOLER=transaction.',
    };
  if (pooler !== 'transaction') return pooler === 'none' ? null : { subject, state: 'ok', text: 'in session mode' };
  if (directUrl !== null)
    return { subject, state: 'ok', text: 'in transaction mode; DATABASE_DIRECT_URL leads past it' };
  return {
    subject,
    state: 'warning',
    text: 'in transaction mode: the service polls instead of listening; DATABASE_DIRECT_URL would lead past the pooler',
  };
}

async function isSessionShared(client: pg.Client, url: string): Promise<boolean> {
  const other = createDatabaseClient({ url, purpose: 'doctor' });
  await other.connect();
  try {
    return (await sessionOf(client)) === (await sessionOf(other));
  } finally {
    await other.end();
  }
}

async function sessionOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
