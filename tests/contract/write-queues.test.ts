import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { newId } from '../../src/accounts/index.js';
import type { TestResponse } from '../support/http/test-client.js';
import { FAKE_HASHER } from '../support/service/test-core.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import { createGroupViaApi, registerUser, type TestUser } from '../support/service/test-users.js';
import { waitUntil } from '../support/wait-until.js';

const POOL_SIZE = 10;
/** Of the listeners and of Agenda. */
const CONNECTIONS_OF_OTHERS = 6;
/** A third of the pool. */
const PER_USER = 3;
const FLOOD = 60;

let service: TestService;
let owner: TestUser;
let other: TestUser;
/** Holds row locks, so that every writer waits for as long as the test checks. */
let holder: pg.Client;

beforeAll(async () => {
  service = await startTestService({
    hasher: FAKE_HASHER,
    settings: { DATABASE_POOL: String(POOL_SIZE + CONNECTIONS_OF_OTHERS) },
  });
  [owner, other] = [await registerUser(service), await registerUser(service)];
});
afterAll(() => service.remove());

beforeEach(async () => {
  holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  await holder.query('begin');
});
afterEach(() => holder.end());

function hold(groupIds: readonly string[]): Promise<unknown> {
  return holder.query('select 1 from groups where id = any($1) order by id for update', [groupIds]);
}

async function countLockWaits(): Promise<number> {
  const {
    rows: [row],
  } = await holder.query<{ count: number }>(
    `
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

function inviteUnknown(by: TestUser, groupId: string) {
  const invitees = Array.from({ length: 500 }, (_, index) => ({ username: `nobody-${index}` }));
  return by.graphql('mutation ($input: InviteToGroupInput!) { inviteToGroup(input: $input) { results { outcome } } }', {
    input: { groupId, invitees },
  });
}

/**
 * Requires that exactly this number of connections wait for row locks while another user gets a response. Then releases
 * the locks.
 */
async function expectHeld(connections: number, flood: readonly Promise<unknown>[]): Promise<void> {
  await waitUntil('writers wait for the lock', async () => (await countLockWaits()) === connections);
  const stoppedAt = performance.now();
  while (performance.now() - stoppedAt < 500) expect((await other.get('/api/auth/me')).status).toBe(200);
  expect([await countLockWaits(), service.database.pool.waitingCount]).toEqual([connections, 0]);
  await holder.query('rollback');
  await Promise.all(flood);
}

describe('writers that wait for a group', () => {
  it('use one database connection in total, for any callers (60 invitations of 500 unknown names)', async () => {
    const groupId = await createGroupViaApi(owner, [other]);
    await hold([groupId]);
    const flood = Array.from({ length: FLOOD }, () => inviteUnknown(owner, groupId));
    await expectHeld(1, flood);
    const responses = await Promise.all(flood);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses[0]?.data).toMatchObject({ inviteToGroup: { results: { length: 500 } } });
  });

  it('use one connection in total also when each belongs to another user', async () => {
    const members = await Promise.all(Array.from({ length: 20 }, () => registerUser(service)));
    const groupId = await createGroupViaApi(owner, members);
    await hold([groupId]);
    const flood = members.map((member) =>
      member.patch(`/api/groups/${groupId}/users/${member.id}/status`, { status: 'accepted' }),
    );
    await expectHeld(1, flood);
    expect((await Promise.all(flood)).map(({ status }) => status)).toEqual(members.map(() => 200));
  });

  it('use a third of the connections when one user writes to many groups', async () => {
    const groupIds: string[] = [];
    for (let index = 0; index < FLOOD; index += 1) groupIds.push(await createGroupViaApi(owner));
    await hold(groupIds);
    const flood = groupIds.map((groupId) => inviteUnknown(owner, groupId));
    await expectHeld(PER_USER, flood);
    expect((await Promise.all(flood)).every(({ errors }) => errors === undefined)).toBe(true);
  });

  it('use a third of the connections when one user changes their own account', async () => {
    await holder.query('select 1 from account where id = $1 for update', [owner.id]);
    const flood = Array.from({ length: FLOOD }, () =>
      owner.graphql('mutation { updateProfile(input: { displayName: "Ada" }) { user { displayName } } }'),
    );
    await expectHeld(PER_USER, flood);
    expect((await Promise.all(flood)).every(({ errors }) => errors === undefined)).toBe(true);
  });

  it('are rejected with 503, OVERLOADED and Retry-After when 200 of one user wait', async () => {
    const member = await registerUser(service);
    const groupId = await createGroupViaApi(owner, [member]);
    await hold([groupId]);
    const answerOnce = () => member.patch(`/api/groups/${groupId}/users/${member.id}/status`, { status: 'accepted' });
    const responses: TestResponse[] = [];
    const flood = Array.from({ length: PER_USER + 200 + 10 }, async () => {
      responses.push(await answerOnce());
    });
    await waitUntil('ten are refused', () => responses.length === 10);
    const rejected = [...responses];
    await holder.query('rollback');
    await Promise.all(flood);
    for (const { status, headers, body } of rejected) {
      expect({ status, retryAfter: headers.get('retry-after'), body }).toMatchObject({
        status: 503,
        retryAfter: '2',
        body: { reason: 'OVERLOADED' },
      });
    }
    expect((await answerOnce()).status).toBe(200);
  });
});

describe('a task', () => {
  it('waits for its group without a connection, and is not rejected', async () => {
    const groupId = await createGroupViaApi(owner, [other]);
    await hold([groupId]);
    const flood = Array.from({ length: 10 }, () =>
      other.patch(`/api/groups/${groupId}/users/${other.id}/status`, { status: 'accepted' }),
    );
    await waitUntil('a writer waits for the lock', async () => (await countLockWaits()) === 1);
    const taskId = newId();
    await service.database.pool.query(
      `
        insert into outbox_task (id, name, payload, status, created_at, due_at)
        values ($1, 'record_deadline', $2, 'QUEUED', now(), now())`,
      [taskId, JSON.stringify({ groupId })],
    );
    service.jobs.dispatch([taskId]);
    const statusOfTask = async () =>
      (await holder.query<{ status: string }>('select status from outbox_task where id = $1', [taskId])).rows[0]
        ?.status;
    await waitUntil('the task runs', async () => (await statusOfTask()) === 'RUNNING');
    await expectHeld(1, flood);
    await waitUntil('the task has ended', async () => (await statusOfTask()) === 'SKIPPED');
  });
});
