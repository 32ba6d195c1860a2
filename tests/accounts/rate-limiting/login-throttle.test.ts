import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  LoginThrottle,
  type FoundAccount,
  type LoginAttempt,
} from '../../../src/accounts/rate-limiting/login-throttle.js';
import { HOUR_SECONDS, MINUTE_SECONDS } from '../../../src/async/durations.js';
import { countStatements } from '../../support/database/count-statements.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { createRateLimitingFixture, type RateLimitingFixture } from './rate-limiting-fixture.js';

const POLICIES = {
  pair: { name: 'login', quota: 10, windowSeconds: 15 * MINUTE_SECONDS },
  address: { name: 'login-address', quota: 30, windowSeconds: 15 * MINUTE_SECONDS },
  name: { name: 'login-name', quota: 100, windowSeconds: HOUR_SECONDS },
};

let fixture: RateLimitingFixture;
let limits: LoginThrottle;
/** How many passwords were looked at, and how many of those were compared with an account's. */
let verified = 0;
let compared = 0;

beforeAll(async () => {
  fixture = await createRateLimitingFixture();
});
beforeEach(async () => {
  await fixture.database.pool.query('truncate rate_limit');
  limits = otherProcess();
  verified = 0;
  compared = 0;
});
afterAll(() => fixture.remove());

function otherProcess(): LoginThrottle {
  return new LoginThrottle(fixture.counters(), POLICIES);
}

interface Try {
  readonly name?: string;
  /** Whose name it is; null when it is no account's. */
  readonly accountId?: string | null;
  readonly network?: string;
  readonly right?: boolean;
  readonly known?: boolean;
}

function attempt({
  name = 'ada',
  accountId = `account of ${name}`,
  network = '192.0.2.1',
  right = false,
  known = false,
}: Try = {}): LoginAttempt<FoundAccount> {
  return {
    name,
    network,
    find: () => Promise.resolve(accountId === null ? null : { id: accountId, isAtKnownNetwork: known }),
    verify: (found) => {
      verified += 1;
      if (found !== null) compared += 1;
      return Promise.resolve(found !== null && right);
    },
  };
}

function succeeds(how: Try, by = limits): Promise<unknown> {
  return expect(by.attempt(attempt({ ...how, right: true }))).resolves.toMatchObject({
    id: how.accountId ?? `account of ${how.name ?? 'ada'}`,
  });
}

async function fail(times: number, how: Try = {}): Promise<void> {
  for (let time = 0; time < times; time += 1) expect(await limits.attempt(attempt(how))).toBeNull();
}

/** The limit that refuses, and the seconds to wait; null when nothing does. */
async function refusing(how: Try = {}, by = limits): Promise<{ name: string; seconds: number } | null> {
  try {
    await by.attempt(attempt(how));
    return null;
  } catch (error) {
    const { policy, retryAfterSeconds } = error as { policy: { name: string }; retryAfterSeconds: number };
    return { name: policy.name, seconds: retryAfterSeconds };
  }
}

describe('failed logins per name and network', () => {
  it('reject after ten without verifying the password', async () => {
    await fail(10);
    expect(verified).toBe(10);
    expect(await refusing({ right: true })).toEqual({ name: 'login', seconds: 15 * MINUTE_SECONDS });
    expect(verified).toBe(10);
  });

  it('do not affect other names from the network or the name from other networks', async () => {
    await fail(10);
    await succeeds({ name: 'grace' });
    await succeeds({ network: '192.0.2.2' });
  });

  it('are counted across processes', async () => {
    await fail(5);
    limits = otherProcess();
    await fail(5);
    expect(await refusing({}, otherProcess())).toMatchObject({ name: 'login' });
  });

  it('double the lockout each time, up to one hour', async () => {
    const waits: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await fail(10);
      const seconds = (await refusing())?.seconds ?? 0;
      waits.push(seconds);
      // A day begins with the first wait: the rounds here take less.
      await fixture.database.pool.query(
        `update rate_limit set expire = expire - $1::bigint where key not like '%waits%'`,
        [seconds * 1_000],
      );
      await fixture.database.pool.query(`delete from rate_limit where key like 'login-address:%'`);
    }
    expect(waits).toEqual([15 * MINUTE_SECONDS, 30 * MINUTE_SECONDS, HOUR_SECONDS, HOUR_SECONDS, HOUR_SECONDS]);
  });

  it('are cleared by a success, with the length of the next lockout', async () => {
    await fail(10);
    await fixture.pass(15 * MINUTE_SECONDS);
    await fail(9);
    await succeeds({});
    await fail(10);
    expect(await refusing()).toEqual({ name: 'login', seconds: 15 * MINUTE_SECONDS });
  });

  it('are at most 13 under concurrent attempts', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => limits.attempt(attempt())));
    const tried = outcomes.filter(({ status }) => status === 'fulfilled').length;
    expect(verified).toBe(tried);
    expect(tried).toBeGreaterThanOrEqual(10);
    expect(tried).toBeLessThanOrEqual(13);
  });
});

describe('failed logins per network', () => {
  it('reject after thirty, for any names', async () => {
    for (const name of ['ada', 'grace', 'joan', 'mary', 'radia', 'sophie']) await fail(5, { name });
    expect(await refusing({ name: 'emmy', right: true })).toMatchObject({ name: 'login-address' });
    await succeeds({ name: 'emmy', network: '192.0.2.2' });
  });
});

describe('failed logins per name from all networks', () => {
  async function attack(failures: number): Promise<void> {
    for (let index = 0; index < failures; index += 1) await fail(1, { network: `198.51.100.${String(index)}` });
  }

  it('are limited to 100 per hour from unknown networks, while the owner can log in from a known one', async () => {
    await attack(100);
    expect(await refusing({ network: '203.0.113.1', right: true })).toMatchObject({ name: 'login-name' });
    await succeeds({ network: '203.0.113.2', known: true });
    await fixture.pass(HOUR_SECONDS);
    await succeeds({ network: '203.0.113.1' });
  });

  it('do not count failures from a known network', async () => {
    await fail(9, { known: true });
    await attack(99);
    await succeeds({ network: '203.0.113.1' });
  });
});

describe('failed logins per account by several names', () => {
  const ID = 'account of ada';
  const byEmail = { name: 'ada@example.org', accountId: ID } satisfies Try;

  it('compare ten passwords in total, and then treat the right one as wrong', async () => {
    await fail(6);
    await fail(4, byEmail);
    expect(compared).toBe(10);
    await fail(3, { right: true });
    await fail(3, { ...byEmail, right: true });
    expect([compared, verified]).toEqual([10, 16]);
  });

  it('reject each name after ten, like a name without an account', async () => {
    await fail(10);
    const known: unknown[] = [];
    const unknown: unknown[] = [];
    for (let time = 0; time < 12; time += 1) {
      known.push(await refusing(byEmail));
      unknown.push(await refusing({ name: 'eve@example.org', accountId: null, network: '192.0.2.9' }));
    }
    expect(known).toEqual(unknown);
    expect(known).toEqual([
      ...Array.from({ length: 10 }, () => null),
      ...Array.from({ length: 2 }, () => ({ name: 'login', seconds: 15 * MINUTE_SECONDS })),
    ]);
    expect(compared).toBe(10);
  });

  it('do not extend the lockout while no password is compared', async () => {
    await fail(10);
    await fail(9, byEmail);
    await fixture.pass(15 * MINUTE_SECONDS);
    await succeeds(byEmail);
  });

  it('affect no other networks, end with the lockout, and are cleared by a success under one name', async () => {
    await fail(5);
    await fail(5, byEmail);
    await fail(1, { ...byEmail, right: true });
    await succeeds({ ...byEmail, network: '192.0.2.2' });
    await fixture.pass(15 * MINUTE_SECONDS);
    await fail(9, byEmail);
    await succeeds(byEmail);
    await fail(9);
    await succeeds({});
  });

  it('are limited to 100 per hour from unknown networks, while the owner can log in from a known one', async () => {
    for (let index = 0; index < 120; index += 1)
      await fail(1, { ...(index % 2 === 0 ? {} : byEmail), network: `198.51.100.${String(index)}` });
    expect(compared).toBe(100);
    await fail(1, { ...byEmail, network: '203.0.113.1', right: true });
    await succeeds({ ...byEmail, network: '203.0.113.2', known: true });
    await fixture.pass(HOUR_SECONDS);
    await succeeds({ ...byEmail, network: '203.0.113.1' });
  });

  it('run as many statements as those for a name without an account', async () => {
    const unknown = await countStatements(() =>
      limits.attempt(attempt({ name: 'nobody', accountId: null, network: '192.0.2.8' })),
    );
    await fail(10);
    const held = await countStatements(() => limits.attempt(attempt(byEmail)));
    expect(held.statements).toBe(unknown.statements);
  });

  it('reject a signed-in client with RATE_LIMITED and count its own failures', async () => {
    await fail(4);
    await fail(4, byEmail);
    const own = (right: boolean): LoginAttempt<FoundAccount> => ({ ...attempt({ right }), isSignedIn: true });
    for (let time = 0; time < 2; time += 1) expect(await limits.attempt(own(false))).toBeNull();
    await expect(limits.attempt(own(true))).rejects.toMatchObject({ policy: { name: 'login' } });
    await fail(1, { right: true });
    expect(compared).toBe(10);
  });
});

describe('login within the limits', () => {
  it('runs one statement and counts nothing when it succeeds', async () => {
    const { statements } = await countStatements(() => limits.attempt(attempt({ right: true })));
    expect(statements).toBe(1);
    for (let time = 0; time < 40; time += 1) await succeeds({});
  });

  it('runs as many statements after a failure from a known network as from another', async () => {
    const known = await countStatements(() => limits.attempt(attempt({ known: true })));
    const unknown = await countStatements(() => limits.attempt(attempt({ network: '192.0.2.3' })));
    expect(known.statements).toBe(unknown.statements);
  });

  it('is rejected when the counters are unavailable', async () => {
    await fixture.database.pool.query('alter table rate_limit rename to away');
    await expect(limits.attempt(attempt({ right: true }))).rejects.toEqual(errorWithReason('DATABASE_UNAVAILABLE'));
    expect(verified).toBe(0);
    await fixture.database.pool.query('alter table away rename to rate_limit');
  });

  it('is allowed again after clearFailures', async () => {
    await fail(10);
    await limits.clearFailures(
      [{ name: 'ada' }, { name: 'ada@example.org' }, { accountId: 'account of ada' }],
      '192.0.2.1',
    );
    await succeeds({});
  });
});
