import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import jwt from 'jsonwebtoken';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../../src/async/durations.js';
import { fakeClock, type FakeClock } from '../../../support/fake-clock.js';
import { TestClient } from '../../../support/http/test-client.js';
import { FAKE_HASHER } from '../../../support/service/test-core.js';
import { startTestService, type TestService } from '../../../support/service/test-service.js';
import { PASSWORD, registerUser } from '../../../support/service/test-users.js';
import { waitUntil } from '../../../support/wait-until.js';
import { startTwoProcesses, type TwoProcesses } from '../two-processes.js';

const TOKEN = '/api/auth/token';
const ME = '/api/auth/me';
const APART_MS = 5 * SECOND_MS;
/** Not a whole second, because a time that is rounded up would lie in the future. */
const NOON = new Date('2026-03-01T12:00:00.750Z');

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

async function tokens(url: string, body: object): Promise<Tokens> {
  const response = await new TestClient(url).post(TOKEN, body);
  if (response.status !== 200) throw new Error(`no tokens: ${response.text}`);
  const { access_token: access, refresh_token: refresh } = response.body as {
    access_token: string;
    refresh_token: string;
  };
  return { access, refresh };
}

const logIn = (url: string): Promise<Tokens> => tokens(url, { username: 'ada', password: PASSWORD });
const refreshed = (url: string, { refresh }: Tokens): Promise<Tokens> =>
  tokens(url, { grant_type: 'refresh_token', refresh_token: refresh });

/** The error reason of a process on each transport for a token; null where the token is accepted. */
async function reasons(url: string, { access }: Tokens): Promise<unknown[]> {
  const client = new TestClient(url, access);
  const [rest, { errors }] = [await client.get(ME), await client.graphql('{ me { id } }')];
  return [
    rest.status === 200 ? null : (rest.body as { reason: string }).reason,
    errors?.[0]?.extensions.reason ?? null,
  ];
}

function timesIn({ access }: Tokens): { iat: number; exp: number } {
  const { iat, exp } = jwt.decode(access, { json: true }) ?? {};
  return { iat: iat ?? NaN, exp: exp ?? NaN };
}

/** The processes of a service take the time from its database. These tests simulate a failure of that. */
describe('two processes with clocks five seconds apart', () => {
  const [early, late]: [FakeClock, FakeClock] = [fakeClock(NOON), fakeClock(NOON)];
  let processes: TwoProcesses;
  let urls: [string, string];

  beforeAll(async () => {
    processes = await startTwoProcesses({ hasher: FAKE_HASHER, clock: early }, { clock: late });
    urls = [processes.here.url, processes.there.url];
    await registerUser(processes.here, 'ada');
  });
  beforeEach(() => {
    early.moveTo(NOON);
    late.moveTo(new Date(NOON.getTime() + APART_MS));
  });
  afterAll(() => processes.remove());

  it("accept each other's fresh tokens, whose times are truncated to seconds (node-jsonwebtoken#141)", async () => {
    for (const [index, url] of urls.entries()) {
      const fresh = await logIn(url);
      for (const each of urls) expect(await reasons(each, fresh)).toEqual([null, null]);
      const iat = Math.floor((index === 0 ? early : late).now().getTime() / SECOND_MS);
      expect(timesIn(fresh)).toEqual({ iat, exp: iat + 900 });
    }
  });

  it("refresh each other's sessions, in sequence and concurrently", async () => {
    let current = await logIn(urls[1]);
    for (const url of [urls[0], urls[1], urls[0], urls[0], urls[1]]) {
      current = await refreshed(url, current);
      for (const each of urls) expect(await reasons(each, current)).toEqual([null, null]);
    }
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => refreshed(urls[index % 2] ?? '', current)),
    );
    expect(new Set(outcomes.map(({ refresh }) => refresh)).size).toBe(1);
  });

  it('reject tokens that expired a minute ago by either clock', async () => {
    for (const url of urls) {
      const old = await logIn(url);
      const { exp } = timesIn(old);
      const minuteAfter = new Date(exp * SECOND_MS + MINUTE_MS);
      early.moveTo(minuteAfter);
      late.moveTo(new Date(minuteAfter.getTime() + APART_MS));
      for (const each of urls) expect(await reasons(each, old)).toEqual(['TOKEN_EXPIRED', 'TOKEN_EXPIRED']);
      early.moveTo(NOON);
      late.moveTo(new Date(NOON.getTime() + APART_MS));
    }
  });

  it("receive each other's logouts", async () => {
    for (const [index, url] of urls.entries()) {
      const login = await logIn(url);
      await new TestClient(url).post('/api/auth/revoke', { token: login.refresh });
      expect(await reasons(url, login)).toEqual(['TOKEN_REVOKED', 'TOKEN_REVOKED']);
      await waitUntil(
        'the other process to know',
        async () => (await reasons(urls[1 - index] ?? '', login))[0] === 'TOKEN_REVOKED',
        SECOND_MS,
      );
    }
  });

  it('return one result for one registration', async () => {
    const register = (url: string) =>
      new TestClient(url).post(
        '/api/auth/register',
        { username: 'twins', password: PASSWORD },
        { 'idempotency-key': 'twins' },
      );
    const [first, second] = [await register(urls[1]), await register(urls[0])];
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
  });
});

describe('a service on a host with a wrong clock', () => {
  let service: TestService;
  let issuedBefore: Tokens;
  beforeAll(async () => {
    service = await startTestService({ hasher: FAKE_HASHER });
    await registerUser(service, 'ada');
    issuedBefore = await logIn(service.url);
  });
  afterAll(() => service.remove());

  it.each([-DAY_MS, -5 * SECOND_MS, 5 * SECOND_MS, DAY_MS])(
    'that is off by %d ms issues and checks tokens by the clock of its database',
    async (offMs) => {
      const realNow = Date.now.bind(Date);
      jest.spyOn(Date, 'now').mockImplementation(() => realNow() + offMs);
      const issued = await logIn(service.url);
      for (const each of [issuedBefore, issued]) expect(await reasons(service.url, each)).toEqual([null, null]);
      jest.restoreAllMocks();
      const { rows } = await service.database.pool.query<{ now: number }>(
        'select extract(epoch from clock_timestamp())::float8 as now',
      );
      expect(Math.abs((rows[0]?.now ?? NaN) - timesIn(issued).iat)).toBeLessThan(3);
    },
  );
});
