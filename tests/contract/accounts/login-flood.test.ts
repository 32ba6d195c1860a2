import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createArgon2Hasher } from '../../../src/accounts/index.js';
import { TestClient, type TestResponse } from '../../support/http/test-client.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { registerUser, type TestUser } from '../../support/service/test-users.js';

const FLOOD = 160;
/**
 * Generous: clients and service share one thread here. On a busy machine it suffices to wait for less time than the
 * logins whose passwords are hashed.
 */
const P99_LIMIT_MS = 1_000;
const WITHOUT_END = '100000/1h';
const LIMITS = {
  RATE_LIMITS: 'on',
  LIMIT_LOGIN: WITHOUT_END,
  LIMIT_LOGIN_ADDRESS: WITHOUT_END,
  LIMIT_LOGIN_NAME: WITHOUT_END,
};

interface Timed {
  readonly response: TestResponse;
  readonly ms: number;
}

async function timed(work: Promise<TestResponse>): Promise<Timed> {
  const startedAt = performance.now();
  const response = await work;
  return { response, ms: performance.now() - startedAt };
}

function quantile(times: readonly Timed[], share: number): number {
  return times.map(({ ms }) => ms).toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? NaN;
}

/** Hashing takes longer than usual, so that all logins have arrived before the first hash is complete. */
describe.each([
  ['without limits, where passwords wait to be hashed', { RATE_LIMITS: 'off' }, { passes: 8, mostWaiting: 10 }],
  ['with limits, where logins from one address wait in line', LIMITS, { passes: 8 }],
])('concurrent logins, %s', (_, settings, slow) => {
  let service: TestService;
  let ada: TestUser;
  beforeAll(async () => {
    service = await startTestService({ settings, hasher: await createArgon2Hasher(slow) });
    ada = await registerUser(service, 'ada');
  }, 300_000);
  afterAll(() => service.remove());

  it('are partly rejected early, while other requests stay fast', async () => {
    const flooded = { isOver: false };
    const flooding = Promise.all(
      Array.from({ length: FLOOD }, () =>
        timed(new TestClient(service.url).post('/api/auth/token', { username: 'ada', password: 'not the password' })),
      ),
    ).finally(() => {
      flooded.isOver = true;
    });
    const others: Timed[] = [];
    do others.push(await timed(ada.get('/api/auth/me')));
    while (!flooded.isOver);
    const flood = await flooding;
    const rejected = flood.filter(({ response }) => response.status === 503);
    const hashed = flood.filter(({ response }) => response.status === 401);
    expect(rejected.length + hashed.length).toBe(FLOOD);
    expect(rejected.length).toBeGreaterThan(30);
    for (const { response } of rejected) {
      expect(response.body).toMatchObject({ code: 'UNAVAILABLE', reason: 'OVERLOADED' });
      expect(response.headers.get('retry-after')).toBe('2');
    }
    expect(quantile(rejected, 0.5)).toBeLessThan(quantile(hashed, 0.5));
    for (const { response } of others) expect(response.status).toBe(200);
    expect(others.length).toBeGreaterThan(20);
    expect(quantile(others, 0.99)).toBeLessThan(Math.max(P99_LIMIT_MS, quantile(hashed, 0.5)));
  }, 300_000);
});
