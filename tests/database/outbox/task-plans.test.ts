import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { createOpenVerificationLoader, recordRegistrations } from '../../../src/accounts/index.js';
import { claimTasks } from '../../../src/database/outbox/claim-tasks.js';
import { completeTasks } from '../../../src/database/outbox/complete-tasks.js';
import { createOutboxFixture, type OutboxFixture } from './outbox-fixture.js';

const LEASE_MS = 60_000;
const texts = new Map<string, string>();
let fixture: OutboxFixture;
let client: pg.Client;

beforeAll(async () => {
  fixture = await createOutboxFixture();
  client = new pg.Client({ connectionString: fixture.url });
  await client.connect();
  const sent = jest.spyOn(pg.Client.prototype, 'query');
  await runTasks();
  for (const [{ name, text }] of sent.mock.calls as unknown as [Partial<pg.QueryConfig>][])
    if (name !== undefined && text !== undefined) texts.set(name, text);
  sent.mockRestore();
});
afterAll(async () => {
  await client.end();
  await fixture.close();
});

async function runTasks(): Promise<void> {
  const { database, clock } = fixture;
  const userId = await fixture.register();
  const id = await fixture.enqueueFollowUp(userId);
  await claimTasks(database, [id], clock.now(), LEASE_MS);
  await createOpenVerificationLoader({ database, clock })({ mailId: id, userId });
  await completeTasks(database, [{ id, attempts: 1, status: 'DONE' }], clock.now());
  await recordRegistrations(database, [{ id, attempts: 1, userId }], clock.now());
}

/** Connections keep the plan that they made for tables of few rows, while the tables grow. */
describe('the generic plan for an empty outbox', () => {
  it.each(['claim_tasks', 'complete_tasks', 'record_registrations', 'open_verifications'])(
    '%s reads tasks and accounts by their keys',
    async (name) => {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (generic_plan) ${texts.get(name) ?? `statement ${name} was not sent`}`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');

      expect(plan).toContain('outbox_task_pkey');
      expect(plan).not.toContain('Seq Scan');
    },
  );
});
