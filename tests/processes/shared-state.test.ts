import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';
import { createTestDatabase, withClient, type TestDatabase } from '../support/database/test-database.js';
import { changesDocument } from '../support/http/test-subscription.js';
import { createGroupViaApi, PASSWORD, registerUser, type TestUser } from '../support/service/test-users.js';
import { waitUntil } from '../support/wait-until.js';
import { createGroupOf, respondConcurrently, type GroupOfMembers } from './responding-members.js';
import { connectTo, type WorkerConnection } from './worker-connection.js';
import { startWorkers, waitForReplacement, waitUntilListening, type WorkerService } from './worker-service.js';

/** Each start compiles the sources again, which takes long on a busy machine. */
const LIMIT_MS = 300_000;
/** Promise of docs/security.md. */
const REVOKED_WITHIN_MS = 1_000;
/** Below the interval of the feed's polls, 2 s. */
const DELIVERED_WITHIN_MS = 1_000;
const STOP_LIMIT_MS = 10_000;
const MEMBERS = 20;

let database: TestDatabase;
let folder: string;
let service: WorkerService;
let first: WorkerConnection;
let second: WorkerConnection;

beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), createTemporaryFolder()]);
  service = await startWorkers({ DATABASE_URL: database.url, DATA_DIR: folder });
  await waitUntilListening(service);
  const [one = 0, other = 0] = service.workerPids();
  [first, second] = [await connectTo(service, one), await connectTo(service, other)];
}, LIMIT_MS);
afterAll(async () => {
  first.close();
  second.close();
  service.process.send('SIGTERM');
  await service.process.waitForExit();
  await database.drop();
  await removeFolder(folder);
}, LIMIT_MS);

function sql<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return withClient(database.url, async (client) => (await client.query<Row>(text, [...values])).rows);
}

async function logIn(username: string): Promise<string> {
  const { body } = await first.send<{ access_token: string }>('POST', '/api/auth/token', {
    json: { username, password: PASSWORD },
  });
  return body.access_token;
}

async function statusOf(connection: WorkerConnection, token: string): Promise<number> {
  return (await connection.send('GET', '/api/auth/me', { token })).status;
}

/** Asserts that the history has one row for each acknowledged response, in order, and that the counts match it. */
async function expectExactHistory({ id, members }: GroupOfMembers): Promise<void> {
  const history = await sql<{ revision: number; subject: string | null; status: string }>(
    'select revision, subject_id as subject, lower(status) as status from group_change where group_id = $1 order by 1',
    [id],
  );
  expect(history.map(({ revision }) => revision)).toEqual(history.map((_, index) => index + 1));
  for (const member of members) {
    const responses = history.filter(({ subject, status }) => subject === member.id && status !== 'pending');
    expect(responses.map(({ status }) => status)).toEqual(member.acknowledged);
  }
  const [counts] = await sql(
    `select g.revision, g.accepted_count as accepted, g.declined_count as declined, m.*
     from groups g, lateral (
       select count(*) filter (where status = 'ACCEPTED')::integer as accepted_members,
         count(*) filter (where status = 'DECLINED')::integer as declined_members from member where group_id = g.id
     ) m where id = $1`,
    [id],
  );
  const { accepted, declined } = counts as { accepted: number; declined: number };
  expect(counts).toMatchObject({
    revision: history.length,
    accepted_members: accepted,
    declined_members: declined,
  });
}

describe('two worker processes on one port', () => {
  it('revoke a session for each other within 1 s', async () => {
    const { username } = await registerUser(service);
    for (const [revoking, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const token = await logIn(username);
      expect([await statusOf(revoking, token), await statusOf(other, token)]).toEqual([200, 200]);
      expect((await revoking.send('POST', '/api/auth/revoke', { json: { token } })).status).toBe(200);
      const revokedAt = performance.now();
      await waitUntil('the other worker rejects the token', async () => (await statusOf(other, token)) === 401);
      expect(performance.now() - revokedAt).toBeLessThan(REVOKED_WITHIN_MS);
    }
  });

  it('deliver the changes of each other to subscribers', async () => {
    const owner = await registerUser(service);
    const groupId = await createGroupViaApi(owner);
    const [pid = 0] = service.workerPids();
    const connection = await connectTo(service, pid);
    const stream = await connection.open('POST', '/graphql', {
      token: owner.token,
      headers: { accept: 'text/event-stream' },
      json: { query: changesDocument(), variables: { groupId, afterRevision: 1 } },
    });
    let received = '';
    stream.on('data', (chunk: Buffer) => (received += chunk.toString()));

    const delays: number[] = [];
    for (let revision = 2; revision <= 6; revision += 1) {
      expect(await rename(second, owner, groupId, `Supper club ${revision}`)).toBe(200);
      const changedAt = performance.now();
      await waitUntil('the change is delivered', () => received.includes(`"revision":${revision}`));
      delays.push(performance.now() - changedAt);
    }
    // Without a notification, the first waits for a part of the poll interval, and each other one for all of it.
    expect(Math.min(...delays.slice(1))).toBeLessThan(DELIVERED_WITHIN_MS);
    stream.destroy();
    connection.close();
  });

  it('create one account for the same Idempotency-Key', async () => {
    const sent = { json: { username: 'once', password: PASSWORD }, headers: { 'idempotency-key': 'once' } };
    const statuses = await Promise.all(
      [first, second].map(async (each) => (await each.send('POST', '/api/auth/register', sent)).status),
    );
    expect(statuses).toContain(201);
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true);
    expect(await sql(`select 1 from account where username = 'once'`)).toHaveLength(1);
    for (const each of [first, second]) expect((await each.send('POST', '/api/auth/register', sent)).status).toBe(201);
  });

  it('run each follow-up of a registration once', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? first : second).send('POST', '/api/auth/register', {
          json: { username: `task-${index}`, password: PASSWORD },
        }),
      ),
    );
    const unfinished = `select 1 from outbox_task where status in ('QUEUED', 'RUNNING')`;
    await waitUntil('all tasks end', async () => (await sql(unfinished)).length === 0);
    const runs = await sql<{ attempts: number; events: number }>(
      `select attempts, (select count(*)::integer from account_event e where e.user_id = a.id) as events
       from outbox_task t join account a on a.id = t.registered_user_id where a.username like 'task-%'`,
    );
    expect(runs.length).toBeGreaterThanOrEqual(12);
    expect(new Set(runs.map(({ attempts }) => attempts))).toEqual(new Set([1]));
    expect(new Set(runs.map(({ events }) => events))).toEqual(new Set([1]));
  });

  it(
    'count every acknowledged response to one group once, also when a worker is killed meanwhile',
    async () => {
      const group = await createGroupOf(service, MEMBERS);
      const [, killed = 0] = service.workerPids();
      const replaced = waitForReplacement(service, killed);
      let isReplaced = false;
      void replaced.then(() => (isReplaced = true));
      await respondConcurrently(service, group, {
        mayRetry: () => true,
        continues: ({ acknowledged }) => acknowledged.length < 20 || !isReplaced,
        reconnects: (index) => index % 2 === 0,
      });
      second.close();
      second = await connectTo(service, await replaced);
      expect(await statusOf(second, group.members[0]?.token ?? '')).toBe(200);
      await expectExactHistory(group);
    },
    LIMIT_MS,
  );

  it(
    'lose no acknowledged response and leave no unacknowledged one on SIGTERM, with exit code 0 within 10 s',
    async () => {
      const group = await createGroupOf(service, MEMBERS);
      let stoppedAt = Infinity;
      const load = respondConcurrently(service, group, {
        mayRetry: () => false,
        continues: () => true,
        reconnects: (index) => index % 2 === 0,
      });
      await waitUntil('all members have responded', () => group.members.every(({ acknowledged: a }) => a.length > 5));
      stoppedAt = performance.now();
      service.process.send('SIGTERM');
      expect(await service.process.waitForExit()).toEqual({ code: 0, signal: null });
      expect(performance.now() - stoppedAt).toBeLessThan(STOP_LIMIT_MS);
      await load;
      await expectExactHistory(group);
    },
    LIMIT_MS,
  );
});

async function rename(connection: WorkerConnection, owner: TestUser, groupId: string, name: string): Promise<number> {
  const query = 'mutation ($input: UpdateGroupInput!) { updateGroup(input: $input) { group { id } } }';
  const json = { query, variables: { input: { groupId, name } } };
  return (await connection.send('POST', '/graphql', { token: owner.token, json })).status;
}
