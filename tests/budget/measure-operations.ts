import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase } from '../support/database/test-database.js';
import { TestClient } from '../support/http/test-client.js';
import {
  createGroupViaApi,
  insertAccounts,
  inviteUsers,
  PASSWORD,
  registerUser,
} from '../support/service/test-users.js';
import { OPERATION_NAMES, prepareOperation, type BudgetFixture } from './operations.js';
import { startServiceProcess, type ServiceProcess } from './service-process.js';

/** What one request of an operation costs the service. */
export interface Cost {
  /** Names of its SQL statements, in order. */
  readonly statements: readonly string[];
  readonly bytes: number;
}

const MEMBERS = 20;
/** Without them, the one-time work of an operation would be measured, such as compiling its document. */
const WARM_UP_REQUESTS = 100;
const ROUNDS = 2;
const REQUESTS_PER_ROUND = 40;
const COUNTED_REQUESTS = 5;
const STRANGERS = WARM_UP_REQUESTS + ROUNDS * REQUESTS_PER_ROUND + COUNTED_REQUESTS;

/** Measures every operation on a service in a process of its own, with one request at a time. */
export async function measureOperations(): Promise<Map<string, Cost>> {
  const [database, folder] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'convene-budget-'))]);
  const service = await startServiceProcess(database.url, folder);
  const pool = new pg.Pool({ connectionString: database.url });
  try {
    const fixture = await createFixture(service.url, pool);
    const costs = new Map<string, Cost>();
    for (const name of OPERATION_NAMES) costs.set(name, await measure(service, name, fixture));
    return costs;
  } finally {
    await pool.end();
    await service.stop();
    await database.drop();
    await rm(folder, { recursive: true });
  }
}

async function measure(service: ServiceProcess, name: string, fixture: BudgetFixture): Promise<Cost> {
  const send = await prepareOperation(name, fixture);
  await repeat(WARM_UP_REQUESTS, send);
  const bytes = await repeat(ROUNDS, () => service.allocatedBytes(() => repeat(REQUESTS_PER_ROUND, send)));
  const statements = await repeat(COUNTED_REQUESTS, () => service.statementsOf(send));
  return { bytes: Math.min(...bytes) / REQUESTS_PER_ROUND, statements: shortest(statements) };
}

async function repeat<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  while (results.length < count) results.push(await work());
  return results;
}

/** Background work only adds statements and bytes. */
function shortest(lists: readonly string[][]): string[] {
  return lists.reduce((least, list) => (list.length < least.length ? list : least));
}

async function createFixture(url: string, pool: pg.Pool): Promise<BudgetFixture> {
  const owner = await registerUser({ url });
  const database = { database: { pool } };
  const groupId = await createGroupViaApi(owner);
  await inviteUsers(owner, groupId, await insertAccounts(database, MEMBERS - 1));
  return {
    anonymous: new TestClient(url),
    owner,
    groupId,
    growingGroupId: await createGroupViaApi(owner),
    strangerIds: await insertAccounts(database, STRANGERS),
    scorer: await createScorer(url, pool),
    changeNames: () => pool.query('update account_directory set version = version + 1'),
  };
}

async function createScorer(url: string, pool: pg.Pool): Promise<TestClient> {
  const { username, id } = await registerUser({ url });
  await pool.query(`update account set roles = '{USER,ADMIN}' where id = $1`, [id]);
  const anonymous = new TestClient(url);
  const { body } = await anonymous.post('/api/auth/token', { username, password: PASSWORD });
  const admin = anonymous.with((body as { access_token: string }).access_token);
  const { createApiKey } = await admin.data<{ createApiKey: { secret: string } }>(
    'mutation { createApiKey(input: { name: "matcher", scopes: [GROUPS_READ, SCORES_WRITE] }) { secret } }',
  );
  return anonymous.with(createApiKey.secret);
}
