import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { expectProblem } from '../support/http/expect-problem.js';
import { TestClient, type TestResponse } from '../support/http/test-client.js';
import { FAKE_HASHER } from '../support/service/test-core.js';
import { startTestService, type ServiceOptions, type TestService } from '../support/service/test-service.js';
import { PASSWORD, registerUser } from '../support/service/test-users.js';

const TOKEN = '/api/auth/token';
const REGISTER = '/api/auth/register';
const WRONG = 'not the password';
const SERVER_SECRET = randomBytes(32).toString('base64');

function start(settings: Readonly<Record<string, string>> = {}, options: ServiceOptions = {}): Promise<TestService> {
  return startTestService({
    hasher: FAKE_HASHER,
    ...options,
    settings: { RATE_LIMITS: 'on', SERVER_SECRET, ...settings },
  });
}

function logIn(service: TestService, username: string, password: string, from?: string): Promise<TestResponse> {
  return new TestClient(service.url).post(
    TOKEN,
    { username, password },
    from === undefined ? {} : { 'x-forwarded-for': from },
  );
}

/** The HTTP statuses of consecutive failed logins. */
async function guess(
  service: TestService,
  username: string,
  addresses: readonly (string | undefined)[],
): Promise<number[]> {
  const statuses: number[] = [];
  for (const from of addresses) statuses.push((await logIn(service, username, WRONG, from)).status);
  return statuses;
}

/** Addresses of an invented network. */
function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `198.51.${String(index >> 8)}.${String(index & 255)}`);
}

function times<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

function resetLimits(service: TestService): Promise<unknown> {
  return service.database.pool.query('truncate rate_limit');
}

describe('failed logins', () => {
  let service: TestService;
  let proxied: TestService;
  beforeAll(async () => {
    service = await start();
    proxied = await start({ DATABASE_URL: service.databaseUrl, TRUST_PROXY: 'loopback' });
    await registerUser(service, 'ada');
  });
  beforeEach(() => resetLimits(service));
  afterAll(async () => {
    await proxied.remove();
    await service.remove();
  });

  it('are rejected after ten, with consistent retry headers', async () => {
    expect(await guess(service, 'ada', times(10, undefined))).toEqual(times(10, 401));
    const response = await logIn(service, 'ada', PASSWORD);
    expectProblem(response, {
      status: 429,
      code: 'RATE_LIMITED',
      instance: TOKEN,
      oauthError: 'temporarily_unavailable',
    });
    const seconds = Number(response.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(890);
    expect(seconds).toBeLessThanOrEqual(900);
    expect(response.headers.get('ratelimit')).toBe(`"login";r=0;t=${String(seconds)}`);
    expect(response.headers.get('ratelimit-policy')).toBe('"login";q=10;w=900');
  });

  it('lock out no other network after 100 guesses from one address', async () => {
    expect(await guess(proxied, 'ada', times(100, '203.0.113.1'))).toEqual([...times(10, 401), ...times(90, 429)]);
    expect((await logIn(proxied, 'ada', PASSWORD, '203.0.113.2')).status).toBe(200);
  });

  it('are not reset by a forged client address', async () => {
    expect(await guess(service, 'ada', addresses(20))).toEqual([...times(10, 401), ...times(10, 429)]);
  });

  it("are rejected after 100 for one name, whatever the addresses, except from its owner's network", async () => {
    expect((await logIn(proxied, 'ada', PASSWORD, '203.0.113.7')).status).toBe(200);
    const statuses = await guess(proxied, 'ada', addresses(200));
    expect(statuses).toEqual([...times(100, 401), ...times(100, 429)]);
    expect((await logIn(proxied, 'ada', PASSWORD, '203.0.113.99')).status).toBe(429);
    expect((await logIn(proxied, 'ada', PASSWORD, '203.0.113.7')).status).toBe(200);
  });

  it('are limited in the same way for an unknown name', async () => {
    const known = await Promise.all([
      guess(service, 'ada', times(11, undefined)),
      guess(service, 'nobody', times(11, undefined)),
    ]);
    expect(known[0]).toEqual(known[1]);
  });

  it('count together for one IPv6 network', async () => {
    const network = Array.from({ length: 12 }, (_, index) => `2001:db8:0:1::${index.toString(16)}`);
    expect(await guess(proxied, 'ada', network)).toEqual([...times(10, 401), ...times(2, 429)]);
    expect(await guess(proxied, 'ada', ['2001:db8:0:2::1'])).toEqual([401]);
  });

  it('are limited to 30 from one address, whatever the names', async () => {
    const statuses = (
      await Promise.all(
        ['b1', 'b2', 'b3', 'b4', 'b5'].map((name) => guess(proxied, `name-${name}`, times(9, '203.0.113.3'))),
      )
    ).flat();
    const tried = statuses.filter((status) => status === 401).length;
    expect(tried).toBeGreaterThanOrEqual(30);
    expect(tried).toBeLessThanOrEqual(33);
    expect((await logIn(proxied, 'ada', PASSWORD, '203.0.113.3')).status).toBe(429);
  });

  it('count together over all processes, transports and spellings of a name', async () => {
    await guess(service, 'ada', times(4, undefined));
    await guess(proxied, 'ADA', times(3, undefined));
    const mutation = 'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { accessToken } }';
    for (let time = 0; time < 3; time += 1) {
      const { errors } = await new TestClient(service.url).graphql(mutation, {
        input: { username: 'Ada', password: WRONG },
      });
      expect(errors?.[0]?.extensions.reason).toBe('WRONG_CREDENTIALS');
    }
    expect(await guess(proxied, 'ada', [undefined])).toEqual([429]);
  });

  it('count together for one account, by its username and by its address', async () => {
    const grace = await registerUser(service);
    const email = `${grace.username}@example.org`;
    await service.database.pool.query(
      'update account set email = $2, email_key = $2, email_verified_at = now() where id = $1',
      [grace.id, email],
    );
    const outcomeOf = (response: TestResponse): unknown => [
      response.status,
      (response.body as { reason?: string }).reason,
    ];
    expect(await guess(service, grace.username, times(6, undefined))).toEqual(times(6, 401));
    expect(await guess(proxied, email.toUpperCase(), times(4, undefined))).toEqual(times(4, 401));
    for (const name of [grace.username, email])
      expect(outcomeOf(await logIn(service, name, PASSWORD))).toEqual([401, 'WRONG_CREDENTIALS']);
    expect((await logIn(proxied, email, PASSWORD, '203.0.113.50')).status).toBe(200);
  });

  it('get one response for a known address and an unknown name, so that no account is revealed', async () => {
    const joan = await registerUser(service);
    const email = `${joan.username}@example.org`;
    await service.database.pool.query(
      'update account set email = $2, email_key = $2, email_verified_at = now() where id = $1',
      [joan.id, email],
    );
    await guess(service, joan.username, times(10, undefined));
    await service.database.pool.query(`delete from rate_limit where key like 'login-address:%'`);
    const known = await guess(service, email, times(12, undefined));
    await service.database.pool.query(`delete from rate_limit where key like 'login-address:%'`);
    const unknown = await guess(service, 'nobody@example.org', times(12, undefined));
    expect(known).toEqual([...times(10, 401), ...times(2, 429)]);
    expect(unknown).toEqual(known);
  });

  it('are not counted when they succeed', async () => {
    for (let time = 0; time < 40; time += 1) expect((await logIn(service, 'ada', PASSWORD)).status).toBe(200);
    expect(
      (await Promise.all(times(40, null).map(() => logIn(service, 'ada', PASSWORD)))).map(({ status }) => status),
    ).toEqual(times(40, 200));
  });

  it('include wrong current passwords', async () => {
    const ada = await registerUser(service);
    const change = (currentPassword: string) =>
      ada.graphql('mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { revokedSessions } }', {
        input: { currentPassword, newPassword: 'nine louder lanterns' },
      });
    for (let time = 0; time < 10; time += 1)
      expect((await change(WRONG)).errors?.[0]?.extensions.reason).toBe('WRONG_CREDENTIALS');
    expect((await change(PASSWORD)).errors?.[0]?.extensions).toMatchObject({
      code: 'RATE_LIMITED',
      policy: { name: 'login' },
    });
  });

  it('are rejected when they cannot be counted, while other requests work', async () => {
    const ada = await registerUser(service);
    await service.database.pool.query('alter table rate_limit rename to away');
    const responses = [
      await logIn(service, 'ada', PASSWORD),
      await new TestClient(service.url).post(REGISTER, { username: 'late', password: PASSWORD }),
    ];
    await service.database.pool.query('alter table away rename to rate_limit');
    for (const response of responses) {
      expect(response).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', reason: 'DATABASE_UNAVAILABLE' } });
      expect(response.headers.get('retry-after')).toBe('1');
    }
    expect((await ada.get('/api/auth/me')).status).toBe(200);
    expect((await logIn(service, 'ada', PASSWORD)).status).toBe(200);
  });
});

describe.each(['yoga', 'apollo'])('operations in one request on %s', (engine) => {
  let service: TestService;
  let passwordsTried = 0;
  const hasher = {
    ...FAKE_HASHER,
    verify: (hash: string | null, password: string) => {
      passwordsTried += 1;
      return FAKE_HASHER.verify(hash, password);
    },
  };
  beforeAll(async () => {
    service = await start({ GRAPHQL_ENGINE: engine, LIMIT_REGISTER: '3/1h' }, { hasher });
  });
  beforeEach(async () => {
    await resetLimits(service);
    passwordsTried = 0;
  });
  afterAll(() => service.remove());

  it('are counted one by one', async () => {
    const logins = Array.from(
      { length: 12 },
      (_, index) => `a${String(index)}: issueToken(input: {username: "grace", password: "${WRONG}"}) { expiresIn }`,
    );
    // The same document takes another code path the second time, because it is compiled then.
    for (let round = 0; round < 12; round += 1)
      await new TestClient(service.url).graphql(`mutation { ${logins.join(' ')} }`);
    expect(passwordsTried).toBe(10);
    const { errors = [] } = await new TestClient(service.url).graphql(`mutation { ${logins.join(' ')} }`);
    expect(errors[0]?.extensions).toMatchObject({
      code: 'RATE_LIMITED',
      reason: 'RATE_LIMITED',
      retryAfterSeconds: expect.any(Number),
      policy: { name: 'login', quota: 10, windowSeconds: 900 },
    });
  });

  it('register no more accounts than single requests', async () => {
    const registrations = Array.from(
      { length: 5 },
      (_, index) =>
        `r${String(index)}: register(input: {username: "${engine}-${String(index)}", password: "${PASSWORD}"}) ` +
        '{ user { id } }',
    );
    await new TestClient(service.url).graphql(`mutation { ${registrations.join(' ')} }`);
    const { rows } = await service.database.pool.query('select username from account order by username');
    expect(rows).toEqual([0, 1, 2].map((index) => ({ username: `${engine}-${String(index)}` })));
  });

  it('are rejected in an array', async () => {
    const batch = times(100, {
      query: `mutation { issueToken(input: {username: "grace", password: "${WRONG}"}) { expiresIn } }`,
    });
    expect((await new TestClient(service.url).post('/graphql', batch)).status).toBe(400);
    expect(passwordsTried).toBe(0);
  });
});

describe('failed logins to an account with an unreadable hash', () => {
  it('count like any other, on both transports', async () => {
    const service = await startTestService({ settings: { RATE_LIMITS: 'on', SERVER_SECRET } });
    await service.database.pool.query(
      `
        insert into account (id, username, username_key, password_hash, created_at)
        values (gen_random_uuid(), 'guest', 'guest', 'none', now())`,
    );
    expect(await guess(service, 'guest', times(9, undefined))).toEqual(times(9, 401));
    const mutation = 'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { accessToken } }';
    const reasons: unknown[] = [];
    for (const password of ['none', WRONG]) {
      const { errors } = await new TestClient(service.url).graphql(mutation, {
        input: { username: 'guest', password },
      });
      reasons.push(errors?.[0]?.extensions.reason);
    }
    expect(reasons).toEqual(['WRONG_CREDENTIALS', 'RATE_LIMITED']);
    await service.remove();
  });
});

describe('registrations', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await start({ LIMIT_REGISTER: '5/1h', TRUST_PROXY: '1' });
  });
  beforeEach(() => resetLimits(service));
  afterAll(() => service.remove());

  function register(username: string, from = '203.0.113.1', password = PASSWORD): Promise<TestResponse> {
    return new TestClient(service.url).post(
      REGISTER,
      { username, password, email: 'canary@example.org' },
      { 'x-forwarded-for': from },
    );
  }

  it('are limited by address, including those with a taken name, without revealing the account', async () => {
    expect((await register('taken')).status).toBe(201);
    for (let time = 0; time < 4; time += 1) {
      const response = await register('Taken');
      expectProblem(response, { status: 409, code: 'CONFLICT', reason: 'USERNAME_TAKEN', instance: REGISTER });
      expect(response.text).not.toContain('canary');
    }
    const response = await register('free-name');
    expectProblem(response, { status: 429, code: 'RATE_LIMITED', instance: REGISTER });
    expect(response.headers.get('ratelimit-policy')).toBe('"register";q=5;w=3600');
    expect(response.headers.get('ratelimit')).toBe(`"register";r=0;t=${String(response.headers.get('retry-after'))}`);
    expect((await register('free-name', '203.0.113.2')).status).toBe(201);
  });

  it('are not counted when they are invalid', async () => {
    for (let time = 0; time < 8; time += 1) expect((await register('x', '203.0.113.1', 'short')).status).toBe(422);
    expect((await register('fine-name')).status).toBe(201);
  });

  it('are exactly as many as allowed, also concurrently and through two processes', async () => {
    const other = await start({ DATABASE_URL: service.databaseUrl, LIMIT_REGISTER: '5/1h', TRUST_PROXY: '1' });
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        new TestClient(index % 2 === 0 ? service.url : other.url).post(REGISTER, {
          username: `crowd-${String(index)}`,
          password: PASSWORD,
        }),
      ),
    );
    await other.remove();
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(15);
  });
});

describe('password reset requests', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await start({ LIMIT_MAIL: '3/1h', LIMIT_RESET_ADDRESS: '7/1h', TRUST_PROXY: '1' });
  });
  beforeEach(() => resetLimits(service));
  afterAll(() => service.remove());

  async function ask(email: string, from = '203.0.113.1'): Promise<unknown> {
    const { data, errors } = await new TestClient(service.url).graphql(
      'mutation ($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { accepted } }',
      { input: { email } },
      { 'x-forwarded-for': from },
    );
    return errors?.[0]?.extensions.policy ?? data;
  }

  const accepted = { requestPasswordReset: { accepted: true } };

  it('are limited for one email address, in any spelling, whether or not it belongs to an account', async () => {
    for (const email of ['ada@example.org', 'Ada@example.org', 'ADA@EXAMPLE.ORG'])
      expect(await ask(email)).toEqual(accepted);
    expect(await ask('ada@example.org', '203.0.113.2')).toMatchObject({ name: 'reset-mail', quota: 3 });
    expect(await ask('grace@example.org')).toEqual(accepted);
  });

  it('are limited for one client', async () => {
    for (let index = 0; index < 7; index += 1)
      expect(await ask(`someone-${String(index)}@example.org`)).toEqual(accepted);
    expect(await ask('someone-8@example.org')).toMatchObject({ name: 'reset-address', quota: 7 });
    expect(await ask('someone-8@example.org', '203.0.113.2')).toEqual(accepted);
  });
});

describe('disabled rate limits', () => {
  it('are warned of at start, and reject nothing', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const service = await start({ RATE_LIMITS: 'off' }, { log });
    expect(lines.join('')).toContain('RATE_LIMITS is off');
    expect(await guess(service, 'ada', times(15, undefined))).toEqual(times(15, 401));
    expect((await service.database.pool.query('select 1 from rate_limit')).rowCount).toBe(0);
    await service.remove();
  });

  it('are not warned of when they are enabled', async () => {
    const lines: string[] = [];
    const service = await start(
      {},
      { log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }) },
    );
    expect(lines.join('')).not.toContain('RATE_LIMITS');
    await service.remove();
  });
});
