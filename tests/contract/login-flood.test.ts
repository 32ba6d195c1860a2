import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Client } from '../support/client.js';
import { join, type Person } from '../support/people.js';
import { startTestService, type TestService } from '../support/service.js';

const FLOOD = 400;
/** Generous, since client and service share one thread here: a login alone would take longer, were it in the way. */
const P99_LIMIT_MS = 500;
const REFUSAL_LIMIT_MS = 2_000;
const WITHOUT_END = '100000/1h';
const LIMITS = { RATE_LIMITS: 'on', LIMIT_LOGIN: WITHOUT_END, LIMIT_LOGIN_ADDRESS: WITHOUT_END, LIMIT_LOGIN_NAME: WITHOUT_END };

interface Timed {
  readonly answer: Answer;
  readonly ms: number;
}

async function timed(work: Promise<Answer>): Promise<Timed> {
  const startedAt = performance.now();
  const answer = await work;
  return { answer, ms: performance.now() - startedAt };
}

function p99(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? NaN;
}

describe.each([
  ['without limits, where passwords wait to be hashed', { RATE_LIMITS: 'off' }],
  ['with limits, where logins from one address wait in line', LIMITS],
])('a flood of logins, %s', (_, settings) => {
  let service: TestService;
  let ada: Person;
  beforeAll(async () => {
    service = await startTestService({ settings });
    ada = await join(service, 'ada');
  }, 60_000);
  afterAll(() => service.remove());

  it('is turned away early in part, while everything else stays fast', async () => {
    let isOver = false;
    const flood = Promise.all(
      Array.from({ length: FLOOD }, () => timed(new Client(service.url).post('/api/auth/token', { username: 'ada', password: 'not the password' }))),
    ).finally(() => { isOver = true; });
    const others: Timed[] = [];
    do others.push(await timed(ada.get('/api/auth/me')));
    while (!isOver);
    const refused = (await flood).filter(({ answer }) => answer.status === 503);
    const hashed = (await flood).filter(({ answer }) => answer.status === 401);
    expect(refused.length + hashed.length).toBe(FLOOD);
    expect(hashed.length).toBeGreaterThanOrEqual(100);
    expect(refused.length).toBeGreaterThan(100);
    for (const { answer } of refused) {
      expect(answer.body).toMatchObject({ code: 'UNAVAILABLE', reason: 'OVERLOADED' });
      expect(answer.headers.get('retry-after')).toBe('2');
    }
    expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(REFUSAL_LIMIT_MS);
    for (const { answer } of others) expect(answer.status).toBe(200);
    expect(others.length).toBeGreaterThan(20);
    expect(p99(others.map(({ ms }) => ms))).toBeLessThan(P99_LIMIT_MS);
  }, 60_000);
});
