import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { accountRetentionRules } from '../src/accounts/index.js';
import { pruneStatement } from '../src/database/pruning/prune.js';
import { GROUP_RETENTION_RULES } from '../src/groups/index.js';
import { createTestDatabase, type TestDatabase } from './support/database/test-database.js';

const OUTDATED = [
  ...accountRetentionRules({ accessTokenTtlMs: 900_000, auditRetentionMs: 1 }),
  ...GROUP_RETENTION_RULES,
];
/** Last-resort plan nodes, which the planner then chooses only without an alternative. */
const LAST_RESORTS = ['seqscan', 'sort', 'hashjoin', 'bitmapscan', 'incremental_sort'];

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const resort of LAST_RESORTS) await client.query(`set enable_${resort} = off`);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function planOf(statement: string): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${statement}`, [new Date()]);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

describe('pruning', () => {
  it.each(OUTDATED.map((outdated) => [outdated.table, outdated.condition, outdated] as const))(
    'finds expired rows of %s, %s, by an ordered index',
    async (_, __, outdated) => {
      const plan = await planOf(pruneStatement(outdated));
      expect(plan).toContain('Tid Scan');
      expect(plan).toMatch(/Index(?: Only)? Scan (?:using|Backward using)/);
      expect(plan).not.toMatch(/Seq Scan|Sort/);
      // As a mere filter it would read the index to its end when few rows are expired.
      expect(plan).toContain(
        outdated.table === 'notice_recipient'
          ? 'Index Cond: (id = notice_recipient_1.task_id)'
          : `Index Cond: (${outdated.ageColumn} <`,
      );
    },
  );

  it('is detected when it reads or sorts a whole table', async () => {
    expect(
      await planOf(pruneStatement({ table: 'account', ageColumn: 'last_login_at', condition: 'last_login_at < $1' })),
    ).toMatch(/Seq Scan/);
    expect(
      await planOf(pruneStatement({ table: 'session', ageColumn: 'created_at', condition: 'expires_at < $1' })),
    ).toMatch(/Sort/);
    expect(
      await planOf(
        pruneStatement({
          table: 'rate_limit',
          ageColumn: 'expire',
          condition: 'expire < extract(epoch from $1::timestamptz)',
        }),
      ),
    ).not.toContain('Index Cond');
  });
});
