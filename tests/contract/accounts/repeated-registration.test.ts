import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createCapturingLogger } from '../../support/capturing-logger.js';
import { TestClient, type TestResponse } from '../../support/http/test-client.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { PASSWORD } from '../../support/service/test-users.js';
import { startTwoProcesses, type TwoProcesses } from '../adversarial/two-processes.js';

const REGISTER = '/api/auth/register';
const TOKEN = '/api/auth/token';
const WRONG = 'not the password';
const ATTACKER = '203.0.113.1';
const MUTATION = 'mutation ($input: RegisterInput!) { register(input: $input) { user { id } } }';

let processes: TwoProcesses;
/** The hashes that passwords were verified against; null for none. */
let compared: (string | null)[] = [];
let username: string;
let key: string;
let first: TestResponse;
const { log, lines } = createCapturingLogger();

const hasher = {
  ...FAKE_HASHER,
  verify: (hash: string | null, password: string) => {
    compared.push(hash);
    return FAKE_HASHER.verify(hash, password);
  },
};

beforeAll(async () => {
  processes = await startTwoProcesses({
    hasher,
    log,
    settings: { RATE_LIMITS: 'on', LIMIT_REGISTER: '10000/1h', TRUST_PROXY: 'loopback' },
  });
});
afterAll(() => processes.remove());
beforeEach(async () => {
  await run('truncate rate_limit, known_address');
  username = `p-${randomUUID().slice(0, 8)}`;
  key = randomUUID();
  first = await register(PASSWORD, '203.0.113.9');
  expect(first.status).toBe(201);
  compared = [];
});

function run(sql: string, values: readonly unknown[] = []): Promise<{ rows: Record<string, unknown>[] }> {
  return processes.here.database.pool.query(sql, [...values]);
}

function register(password: string, from = ATTACKER, more: object = {}, at = processes.here): Promise<TestResponse> {
  return new TestClient(at.url).post(
    REGISTER,
    { username, password, ...more },
    { 'idempotency-key': key, 'x-forwarded-for': from },
  );
}

/** The error reason over GraphQL; null for none. */
async function registerByGraphql(password: string, from = ATTACKER): Promise<unknown> {
  const headers = { 'idempotency-key': key, 'x-forwarded-for': from };
  const { errors } = await new TestClient(processes.there.url).graphql(
    MUTATION,
    { input: { username, password } },
    headers,
  );
  return errors?.[0]?.extensions.reason ?? null;
}

function logIn(password: string, from = ATTACKER): Promise<TestResponse> {
  return new TestClient(processes.here.url).post(TOKEN, { username, password }, { 'x-forwarded-for': from });
}

const reasonOf = ({ body }: TestResponse): unknown => (body as { reason?: string }).reason;
const userIdOf = ({ body }: TestResponse): unknown => (body as { user_id?: string }).user_id;

describe('a registration repeated with its Idempotency-Key', () => {
  it('limits password guesses as a login does, through any process and transport', async () => {
    const reasons: unknown[] = [];
    for (let time = 0; time < 30; time += 1) {
      reasons.push(
        time % 2 === 0 ? reasonOf(await register(`${WRONG} ${time}`)) : await registerByGraphql(`${WRONG} ${time}`),
      );
    }
    expect(reasons).toEqual([
      ...Array.from({ length: 10 }, () => 'IDEMPOTENCY_KEY_REUSED'),
      ...Array.from({ length: 20 }, () => 'RATE_LIMITED'),
    ]);
    expect(compared).toHaveLength(10);
    const rejected = await register(PASSWORD);
    expect([rejected.status, rejected.headers.get('ratelimit-policy')]).toEqual([429, '"login";q=10;w=900']);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(890);
    expect((await logIn(PASSWORD)).status).toBe(429);
    expect((await register(PASSWORD, '203.0.113.2')).text).toBe(first.text);
  });

  it('counts together with failed logins, and a correct password clears both', async () => {
    for (let time = 0; time < 5; time += 1)
      expect([(await logIn(WRONG)).status, (await register(WRONG)).status]).toEqual([401, 422]);
    expect([(await logIn(PASSWORD)).status, (await register(PASSWORD)).status]).toEqual([429, 429]);
    await run(`update rate_limit set expire = 0`);
    for (let time = 0; time < 9; time += 1) await register(WRONG);
    expect((await register(PASSWORD)).text).toBe(first.text);
    for (let time = 0; time < 9; time += 1) expect((await logIn(WRONG)).status).toBe(401);
  });

  it('returns the same error after the same work, whatever differs', async () => {
    const others = [{ email: 'other@example.org' }, { display_name: 'Other' }, { username: 'somebody-else' }];
    const responses = [await register(WRONG)];
    for (const more of others) responses.push(await register(PASSWORD, ATTACKER, more));
    const comparable = responses.map(({ status, body }) => [status, { ...(body as object), request_id: null }]);
    expect(comparable[0]).toMatchObject([
      422,
      { reason: 'IDEMPOTENCY_KEY_REUSED', errors: [{ field: 'Idempotency-Key' }] },
    ]);
    for (const each of comparable) expect(each).toEqual(comparable[0]);
    expect(compared).toEqual([`quick:${PASSWORD}`, null, null, null]);
    for (let time = 0; time < 7; time += 1)
      expect((await register(PASSWORD, ATTACKER, { email: 'other@example.org' })).status).toBe(422);
    expect((await logIn(PASSWORD)).status).toBe(429);
  });

  it('stores an HMAC of the request without the password', async () => {
    const input = JSON.stringify({ username, email: null, displayName: null, invitation: null });
    const { rows } = await run('select request_mac as mac from idempotent_request where account_id = $1', [
      userIdOf(first),
    ]);
    expect(rows).toEqual([{ mac: processes.here.accounts.serverSecret.hmac('idempotent-request', input) }]);
  });

  it('treats a stored result whose HMAC includes the password as another request', async () => {
    const input = JSON.stringify({ username, password: PASSWORD, email: null, displayName: null, invitation: null });
    const mac = processes.here.accounts.serverSecret.hmac('idempotent-request', input);
    await run('update idempotent_request set request_mac = $2 where account_id = $1', [userIdOf(first), mac]);
    expect([reasonOf(await register(PASSWORD)), compared]).toEqual(['IDEMPOTENCY_KEY_REUSED', [null]]);
  });

  it('accepts the current password after a password change', async () => {
    await run('update account set password_hash = $2 where id = $1', [userIdOf(first), 'quick:nine louder lanterns']);
    expect(reasonOf(await register(PASSWORD))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await register('nine louder lanterns')).text).toBe(first.text);
  });

  it('returns nothing of a disabled account', async () => {
    await run('update account set disabled_at = now() where id = $1', [userIdOf(first)]);
    expect(reasonOf(await register(PASSWORD))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('registers again after the account was deleted', async () => {
    const { body } = await logIn(PASSWORD);
    const owner = new TestClient(processes.here.url, (body as { access_token: string }).access_token);
    await owner.data('mutation ($input: DeleteAccountInput!) { deleteAccount(input: $input) { deletedUserId } }', {
      input: { password: PASSWORD },
    });
    const again = await register('nine louder lanterns');
    expect([again.status, userIdOf(again) === userIdOf(first)]).toEqual([201, false]);
  });

  it('creates one account, and hides it from another password, in two concurrent processes', async () => {
    username = `${username}-2`;
    key = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        register(index % 4 < 2 ? PASSWORD : WRONG, ATTACKER, {}, index % 2 === 0 ? processes.here : processes.there),
      ),
    );
    const made = responses.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const response of responses)
      expect([undefined, 'REQUEST_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED']).toContain(reasonOf(response));
    const passwords = responses
      .map(({ status }, index) => (status === 201 ? index % 4 < 2 : null))
      .filter((right) => right !== null);
    expect(new Set(passwords).size).toBe(1);
    expect((await run('select from account where username_key = $1', [username])).rows).toHaveLength(1);
    const right = passwords[0] === true ? PASSWORD : WRONG;
    expect((await register(right, '203.0.113.3')).text).toBe(made[0]?.text);
  });

  it('logs each wrong password with its account', async () => {
    await register(WRONG);
    expect(lines.filter(({ subjectId }) => subjectId === userIdOf(first))).toMatchObject([
      { event: 'login', outcome: 'refused', reason: 'IDEMPOTENCY_KEY_REUSED', operation: 'register' },
    ]);
  });
});
