import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { buildGraphqlSchema } from '../../../../src/graphql/schema.js';
import { countLockWaits } from '../../../support/database/lock-waits.js';
import { withStoppedKeys } from '../../../support/database/stop-at-saved-key.js';
import { requestHead, sendRawRequest } from '../../../support/http/raw-http.js';
import { TestClient, type GraphqlResponse, type TestResponse } from '../../../support/http/test-client.js';
import { FAKE_HASHER } from '../../../support/service/test-core.js';
import {
  createApiKeyClient,
  createGroupViaApi,
  insertAccounts,
  PASSWORD,
  registerAdmin,
  registerUser,
  type TestUser,
} from '../../../support/service/test-users.js';
import { UNKNOWN_ID } from '../../../support/unknown-id.js';
import { waitUntil } from '../../../support/wait-until.js';
import { documentOf, OPERATIONS, type OperationFixture, type OperationName } from '../../operations.js';
import { startTwoProcesses, type TwoProcesses } from '../two-processes.js';

const PATH = '/api/auth/register';

/** Every mutation that creates something which a repetition would create again. */
const CREATING = ['createApiKey', 'createGroup', 'inviteToGroup', 'recordCompatibilityScore', 'register'] as const;
type Creating = (typeof CREATING)[number];

/** Input that is wrong enough for each to be rejected. */
const WRONG: Readonly<Record<Creating, object>> = {
  createApiKey: { name: '' },
  createGroup: { name: '' },
  inviteToGroup: { groupId: UNKNOWN_ID },
  recordCompatibilityScore: { value: 101 },
  register: { username: 'taken' },
};

/** Changes that make each another request. */
const OTHER: Readonly<Record<Creating, object>> = {
  createApiKey: { name: 'other' },
  createGroup: { name: 'Other' },
  inviteToGroup: { invitees: [{ username: 'nobody' }] },
  recordCompatibilityScore: { value: 51 },
  register: { password: `${PASSWORD}!` },
};

/** Mutations of a group wait for each other at the group. The others do not wait at all. */
const WAITS: readonly Creating[] = ['inviteToGroup', 'recordCompatibilityScore'];

const schema = buildGraphqlSchema();
let processes: TwoProcesses;
let admin: TestUser;
let member: { readonly id: string };
let fixture: OperationFixture;
let fixtureCount = 0;

beforeAll(async () => {
  processes = await startTwoProcesses({ hasher: FAKE_HASHER });
  admin = await registerAdmin(processes.here);
  await registerUser(processes.here, 'taken');
  member = { id: (await insertAccounts(processes.here, 1))[0] ?? '' };
});
afterAll(() => processes.remove());

beforeEach(async () => {
  fixtureCount += 1;
  const [strangerId = ''] = await insertAccounts(processes.here, 1);
  const stranger = { username: `a-${strangerId.slice(-12)}` };
  fixture = {
    groupId: await createGroupViaApi(admin, [member]),
    owner: admin,
    member,
    stranger,
    freeName: `newcomer-${fixtureCount}`,
    newAddress: `guest-${fixtureCount}@example.org`,
  };
});

function documentFor(name: OperationName): string {
  const args = schema.getMutationType()?.getFields()[name]?.args ?? [];
  return documentOf(name, Object.fromEntries(args.map((argument) => [argument.name, String(argument.type)])));
}

interface Sent {
  readonly key: string;
  readonly by?: TestClient;
  /** Differs from the fixture's. */
  readonly more?: object;
}

function send(name: OperationName, { key, by = admin, more = {} }: Sent): Promise<GraphqlResponse> {
  const { input } = OPERATIONS[name].variables(fixture) as { input?: object };
  return by.graphql(documentFor(name), { input: { ...input, ...more } }, { 'idempotency-key': key });
}

function elsewhere(): TestClient {
  return new TestClient(processes.there.url, admin.token);
}

/** The number of rows of everything that these mutations create. */
async function made(): Promise<Readonly<Record<Creating, number>>> {
  const { rows } = await processes.here.database.pool.query<Record<Creating, number>>(`select
    (select count(*)::int from account) as "register",
    (select count(*)::int from groups) as "createGroup",
    (select count(*)::int from member where status = 'PENDING') as "inviteToGroup",
    (select count(*)::int from api_key) as "createApiKey",
    (select count(*)::int from compatibility_score) as "recordCompatibilityScore"`);
  return rows[0]!;
}

const reasonOf = ({ errors }: GraphqlResponse): unknown => errors?.[0]?.extensions.reason;
/** Whether the key was validated and found wrong. */
const namesTheKey = ({ errors }: GraphqlResponse): boolean =>
  JSON.stringify(errors?.[0]?.extensions.fields ?? []).includes('"Idempotency-Key"');

describe('an Idempotency-Key', () => {
  it('is read by every mutation that creates something, and by no other', async () => {
    const names = (Object.keys(OPERATIONS) as OperationName[]).filter((name) => OPERATIONS[name].kind === 'mutation');
    const looking = [];
    for (const name of names) {
      // A caller who has logged out cannot be used again.
      const by = name === 'revokeToken' ? await registerUser(processes.here) : admin;
      if (namesTheKey(await send(name, { key: 'a b', by }))) looking.push(name);
    }
    expect(looking.toSorted()).toEqual(CREATING);
  });

  it.each(CREATING)('is rejected by %s without a write when it is malformed', async (name) => {
    const before = await made();
    for (const key of [
      '',
      ' ',
      '""',
      '" "',
      'a b',
      '"a b"',
      'a, b',
      'a\tb',
      'k\u00e9y',
      'x'.repeat(256),
      `"${'x'.repeat(256)}"`,
      'x'.repeat(8_000),
    ]) {
      const response = await send(name, { key });
      expect([key, reasonOf(response), namesTheKey(response)]).toEqual([key, 'INVALID_INPUT', true]);
    }
    expect(await made()).toEqual(before);
  });

  it.each([
    ['twice', ['Idempotency-Key: one', 'Idempotency-Key: two'], 422],
    ['twice the same', ['Idempotency-Key: one', 'idempotency-key: one'], 422],
    ['empty', ['Idempotency-Key:'], 422],
    ['with NUL', ['Idempotency-Key: a\u0000b'], 400],
    ['with a control character', ['Idempotency-Key: a\u0001b'], 400],
    ['with DEL', ['Idempotency-Key: a\u007fb'], 400],
    ['on two lines', ['Idempotency-Key: a', ' b'], 400],
    ['with an escape of its own', ['Idempotency-Key: a\u001b[31m'], 400],
  ])('is rejected without a registration when it is sent %s', async (_, lines, status) => {
    const before = await made();
    const body = JSON.stringify({ username: fixture.freeName, password: PASSWORD });
    const response = await sendRawRequest(
      processes.here.url,
      requestHead(
        `POST ${PATH} HTTP/1.1`,
        'Host: convene',
        'Connection: close',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        ...lines,
      ) + body,
    );
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
    expect(response).toContain('application/problem+json');
    expect(await made()).toEqual(before);
  });

  it.each([
    ['of one character', '1', '1'],
    ['of 255 characters', 'x'.repeat(255), 'x'.repeat(255)],
    [
      'quoted, as the draft has it, or bare',
      '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
      '8e03978e-40d5-43dd-bc93-6894a57f9324',
    ],
    ['of 255 characters in quotes', `"${'y'.repeat(255)}"`, 'y'.repeat(255)],
    ['with a quote and a backslash in it', '"a\\"b"', '"a\\"b"'],
    ['named like a prototype', '__proto__', '__proto__'],
    ['with a comma', 'a,b', 'a,b'],
  ])('identifies its request when it is %s', async (_, key, again) => {
    const body = { username: fixture.freeName, password: PASSWORD };
    const register = (sent: string): Promise<TestResponse> =>
      new TestClient(processes.here.url).post(PATH, body, { 'idempotency-key': sent });
    const first = await register(key);
    expect(first.status).toBe(201);
    expect(await register(again)).toMatchObject({ status: 201, text: first.text });
  });

  it('is shared by both transports', async () => {
    const anonymous = new TestClient(processes.here.url);
    const { body } = await anonymous.post(
      PATH,
      { username: fixture.freeName, password: PASSWORD },
      { 'idempotency-key': 'transports' },
    );
    const { data } = await send('register', { key: 'transports', by: new TestClient(processes.there.url) });
    expect(data).toEqual({ register: { user: { id: (body as { user_id: string }).user_id } } });
  });

  it.each(CREATING)(
    'runs %s once in concurrent requests to any process, and always returns its result',
    async (name) => {
      const before = await made();
      const responses = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          send(name, { key: 'crowd', by: index % 2 === 0 ? admin : elsewhere() }),
        ),
      );
      const done = responses.filter(({ errors }) => errors === undefined);
      expect(done.length).toBeGreaterThan(0);
      for (const response of responses) expect([undefined, 'REQUEST_IN_PROGRESS']).toContain(reasonOf(response));
      for (const { data } of [
        ...done,
        await send(name, { key: 'crowd' }),
        await send(name, { key: 'crowd', by: elsewhere() }),
      ])
        expect(data).toEqual(done[0]?.data);
      expect(await made()).toEqual({ ...before, [name]: before[name] + 1 });
    },
  );

  it.each(CREATING)('is rejected while %s is in progress, and free again afterwards', async (name) => {
    const before = await made();
    const [first, second] = await withStoppedKeys(processes.here.databaseUrl, async (resume) => {
      const going = send(name, { key: 'slow' });
      await waitUntil(
        'the first to be about to end',
        async () => (await countLockWaits(processes.here.database)) === 1,
      );
      const rejected = send(name, { key: 'slow', by: elsewhere() });
      // Otherwise the second could arrive when the first has ended, and would get its result.
      if (WAITS.includes(name))
        await waitUntil('both to wait', async () => (await countLockWaits(processes.here.database)) === 2);
      else await rejected;
      await resume();
      return [await going, await rejected] as const;
    });
    expect([reasonOf(first), reasonOf(second)]).toEqual([undefined, 'REQUEST_IN_PROGRESS']);
    expect(second.errors?.[0]?.extensions.code).toBe('CONFLICT');
    expect((await send(name, { key: 'slow', by: elsewhere() })).data).toEqual(first.data);
    expect(await made()).toEqual({ ...before, [name]: before[name] + 1 });
  });

  it.each(CREATING)('is rejected by %s with other input', async (name) => {
    expect(reasonOf(await send(name, { key: 'other' }))).toBeUndefined();
    const before = await made();
    const response = await send(name, { key: 'other', more: OTHER[name] });
    expect([reasonOf(response), namesTheKey(response)]).toEqual(['IDEMPOTENCY_KEY_REUSED', true]);
    expect(await made()).toEqual(before);
  });

  it.each(CREATING)('is free for the corrected %s after an error', async (name) => {
    const wrong = await send(name, { key: 'second-try', more: WRONG[name] });
    expect(reasonOf(wrong)).toMatch(/^(INVALID_INPUT|USERNAME_TAKEN|GROUP_NOT_FOUND)$/);
    expect(reasonOf(await send(name, { key: 'second-try', more: WRONG[name] }))).toBe(reasonOf(wrong));
    expect(reasonOf(await send(name, { key: 'second-try' }))).toBeUndefined();
  });

  it('is scoped to the caller, for users and API keys', async () => {
    const [ada, ben] = [await registerUser(processes.here), await registerUser(processes.here)];
    const groups = [
      await send('createGroup', { key: 'mine', by: ada }),
      await send('createGroup', { key: 'mine', by: ben }),
    ].map(({ data }) => JSON.stringify(data));
    expect(new Set(groups).size).toBe(2);
    const before = await made();
    const apiClients = [
      await createApiKeyClient(processes.here, ['scores:write']),
      await createApiKeyClient(processes.here, ['scores:write']),
    ];
    for (const by of [...apiClients, admin])
      expect(reasonOf(await send('recordCompatibilityScore', { key: 'mine', by }))).toBeUndefined();
    expect((await made()).recordCompatibilityScore).toBe(before.recordCompatibilityScore + 3);
  });

  it('is scoped to the request when the caller is anonymous', async () => {
    const anonymous = new TestClient(processes.here.url);
    expect(reasonOf(await send('register', { key: 'shared', by: anonymous }))).toBeUndefined();
    const response = await send('register', {
      key: 'shared',
      by: anonymous,
      more: { username: `${fixture.freeName}-2` },
    });
    expect(reasonOf(response)).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(response.text).not.toContain(fixture.freeName);
  });

  it('has no effect on queries', async () => {
    expect((await admin.get('/api/auth/me', { 'idempotency-key': 'a b' })).status).toBe(200);
    expect((await admin.graphql('{ me { id } }', {}, { 'idempotency-key': '' })).errors).toBeUndefined();
  });
});
