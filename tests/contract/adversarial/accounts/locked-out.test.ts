import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestClient, type TestResponse } from '../../../support/http/test-client.js';
import { RecordingMailer } from '../../../support/recording-mailer.js';
import { FAKE_HASHER } from '../../../support/service/test-core.js';
import { PASSWORD } from '../../../support/service/test-users.js';
import { waitUntil } from '../../../support/wait-until.js';
import { startTwoProcesses, type TwoProcesses } from '../two-processes.js';

const TOKEN = '/api/auth/token';
const WRONG = 'not the password';
const ATTACKER = '203.0.113.1';
const ADDRESS = 'ada@example.org';
const LOGIN = 'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { accessToken } }';

const mailer = new RecordingMailer();
let processes: TwoProcesses;

beforeAll(async () => {
  processes = await startTwoProcesses({
    hasher: FAKE_HASHER,
    mailer,
    settings: { RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' },
  });
  await new TestClient(processes.here.url).post('/api/auth/register', { username: 'ada', password: PASSWORD });
});
beforeEach(() => run(`truncate rate_limit, known_address`));
afterAll(() => processes.remove());

function run(sql: string, values: readonly unknown[] = []): Promise<unknown> {
  return processes.here.database.pool.query(sql, [...values]);
}

/** Rate limit counters use the database's clock. The test moves their times back instead. */
function pass(seconds: number): Promise<unknown> {
  return run('update rate_limit set expire = expire - $1::bigint', [seconds * 1_000]);
}

function logIn(password: string, from: string, at = processes.here): Promise<TestResponse> {
  return new TestClient(at.url).post(TOKEN, { username: 'ada', password }, { 'x-forwarded-for': from });
}

/** The HTTP status that REST would return, and the wait in seconds. */
async function logInByGraphql(password: string, from: string): Promise<[number, unknown]> {
  const { errors } = await new TestClient(processes.there.url).graphql(
    LOGIN,
    { input: { username: 'ada', password } },
    { 'x-forwarded-for': from },
  );
  const { reason, retryAfterSeconds } = errors?.[0]?.extensions ?? {};
  return [{ WRONG_CREDENTIALS: 401, RATE_LIMITED: 429 }[String(reason)] ?? 200, retryAfterSeconds];
}

async function guess(times: number, from: (time: number) => string): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) {
    // Through both processes and both transports.
    statuses.push(
      time % 3 === 2
        ? (await logInByGraphql(WRONG, from(time)))[0]
        : (await logIn(WRONG, from(time), time % 3 === 0 ? processes.here : processes.there)).status,
    );
  }
  return statuses;
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('password guessing from one address', () => {
  it('is blocked for exactly the stated time, while the owner can log in from elsewhere (keycloak#46164)', async () => {
    expect(await guess(100, () => ATTACKER)).toEqual([...times(10, 401), ...times(90, 429)]);
    const rejected = await logIn(PASSWORD, ATTACKER);
    expect(rejected.status).toBe(429);
    const seconds = Number(rejected.headers.get('retry-after'));
    expect(await logInByGraphql(PASSWORD, ATTACKER)).toEqual([429, seconds]);
    expect((await logIn(PASSWORD, '203.0.113.2')).status).toBe(200);
    expect((await logInByGraphql(PASSWORD, '203.0.113.3'))[0]).toBe(200);
    await pass(seconds - 5);
    expect((await logIn(PASSWORD, ATTACKER)).status).toBe(429);
    await pass(5);
    expect((await logIn(PASSWORD, ATTACKER)).status).toBe(200);
  });

  it('is blocked for longer each time, but never permanently', async () => {
    for (const minutes of [15, 30, 60, 60]) {
      expect((await guess(12, () => ATTACKER)).filter((status) => status === 401)).toHaveLength(10);
      const seconds = Number((await logIn(PASSWORD, ATTACKER)).headers.get('retry-after'));
      expect(Math.round(seconds / 60)).toBe(minutes);
      // The lockout counter lives for a day, longer than these rounds take.
      await run(`update rate_limit set expire = expire - $1::bigint where key not like 'login-waits%'`, [
        seconds * 1_000,
      ]);
    }
    expect((await logIn(PASSWORD, ATTACKER)).status).toBe(200);
    // A successful login resets the lockouts.
    expect(await guess(11, () => ATTACKER)).toEqual([...times(10, 401), 429]);
    expect(Math.round(Number((await logIn(PASSWORD, ATTACKER)).headers.get('retry-after')) / 60)).toBe(15);
  });
});

describe('password guessing from many addresses', () => {
  const elsewhere = (time: number): string => `198.51.${time >> 8}.${time & 255}`;

  it('limits the username for an hour, also for its owner from an unknown network (heypinchy#825)', async () => {
    expect((await logIn(PASSWORD, '203.0.113.7')).status).toBe(200);
    expect(await guess(200, elsewhere)).toEqual([...times(100, 401), ...times(100, 429)]);
    expect((await logIn(PASSWORD, '203.0.113.7')).status).toBe(200);
    expect((await logInByGraphql(PASSWORD, '203.0.113.7'))[0]).toBe(200);
    const rejected = await logIn(PASSWORD, '203.0.113.8');
    expect([rejected.status, rejected.headers.get('ratelimit-policy')]).toEqual([429, '"login-name";q=100;w=3600']);
    await pass(Number(rejected.headers.get('retry-after')));
    expect((await logIn(PASSWORD, '203.0.113.8')).status).toBe(200);
  });

  it('does not lock out an owner who can read their mail', async () => {
    await run("update account set email = $1, email_key = $1, email_verified_at = now() where username = 'ada'", [
      ADDRESS,
    ]);
    await guess(101, elsewhere);
    await guess(11, () => '203.0.113.9');
    expect((await logIn(PASSWORD, '203.0.113.9')).status).toBe(429);
    const anonymous = new TestClient(processes.there.url);
    const from = { 'x-forwarded-for': '203.0.113.9' };
    await anonymous.graphql(
      'mutation ($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { accepted } }',
      { input: { email: ADDRESS } },
      from,
    );
    await waitUntil('the mail', () => mailer.sent.some(({ to }) => to === ADDRESS));
    const input = { secret: mailer.secretTo(ADDRESS), newPassword: 'nine louder lanterns' };
    const { errors } = await anonymous.graphql(
      'mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { revokedSessions } }',
      { input },
      from,
    );
    expect(errors).toBeUndefined();
    expect((await logIn('nine louder lanterns', '203.0.113.9')).status).toBe(200);
    // It lets no other user in.
    expect((await logIn(WRONG, '198.51.200.1')).status).toBe(429);
  });
});
