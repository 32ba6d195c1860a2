import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issueToken, type PasswordHasher } from '../../../src/accounts/index.js';
import { inTransaction } from '../../../src/database/index.js';
import { isLockAwaited } from '../../support/database/lock-waits.js';
import { revokeSessionsOf } from '../../support/revoke-sessions-of.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { waitUntil } from '../../support/wait-until.js';
import { BROWSER, openSessionsWorld, PASSWORD, reasonOf, type SessionsWorld } from './sessions-fixture.js';

/** Runs between the check of a password and what follows from it. */
let meanwhile: () => Promise<void> = () => Promise.resolve();
let isOutdated = false;

const HASHER: PasswordHasher = {
  ...FAKE_HASHER,
  verify: async (hash, password) => {
    const matches = await FAKE_HASHER.verify(hash?.replace('weak-', '') ?? null, password);
    await meanwhile();
    return matches;
  },
  needsRehash: (hash) => isOutdated && hash.startsWith('weak-'),
};

let world: SessionsWorld;
let ada: string;

beforeAll(async () => {
  world = await openSessionsWorld({ hasher: HASHER });
  ada = await world.join('ada');
});

beforeEach(() => {
  meanwhile = () => Promise.resolve();
});

afterAll(() => world.remove());

async function sessions(): Promise<number> {
  const { rows } = await world.database.pool.query('select 1 from session where user_id = $1', [ada]);
  return rows.length;
}

async function setHash(hash: string): Promise<void> {
  await world.database.pool.query('update account set password_hash = $1 where id = $2', [hash, ada]);
}

describe('a login whose password has been checked', () => {
  it('begins no session once the password was changed', async () => {
    meanwhile = () => setHash('quick:another');
    expect(await reasonOf(world.logIn('ada'))).toBe('WRONG_CREDENTIALS');
    expect(await sessions()).toBe(0);
    await setHash(`quick:${PASSWORD}`);
  });

  it('begins no session once the account was disabled', async () => {
    const set = async (value: string): Promise<void> => {
      await world.database.pool.query(`update account set disabled_at = ${value} where id = $1`, [ada]);
    };
    meanwhile = () => set('now()');
    expect(await reasonOf(world.logIn('ada'))).toBe('WRONG_CREDENTIALS');
    expect(await sessions()).toBe(0);
    await set('null');
  });

  it('goes on when another login has only rehashed the same password', async () => {
    isOutdated = true;
    await setHash(`weak-quick:${PASSWORD}`);
    meanwhile = () => setHash(`quick:${PASSWORD}`);
    expect(await reasonOf(world.logIn('ada'))).toBe('none');
    const { rows } = await world.database.pool.query('select password_hash from account where id = $1', [ada]);
    expect(rows).toEqual([{ password_hash: `quick:${PASSWORD}` }]);
    isOutdated = false;
  });

  it('starts one session when it rehashes the password and repeats its statement after a lost response', async () => {
    isOutdated = true;
    await setHash(`weak-quick:${PASSWORD}`);
    const before = await sessions();
    const { database } = world.accounts;
    const execute: typeof database.execute = async (statement, values, policy) => {
      await database.execute(statement, values, policy);
      return database.execute(statement, values, policy);
    };
    const deps = { ...world.accounts, database: { ...database, execute } };
    await issueToken(deps, { username: 'ada', password: PASSWORD }, BROWSER);
    expect(await sessions()).toBe(before + 1);
    isOutdated = false;
  });

  it("waits for a transaction that revokes the account's sessions, before and after its update", async () => {
    let isLocked: () => void = () => undefined;
    const locked = new Promise<void>((resolve) => {
      isLocked = resolve;
    });
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const ending = inTransaction(world.database, async (em) => {
      await revokeSessionsOf(em, ada, world.clock.now());
      isLocked();
      await released;
      await em.execute('update account set password_hash = ? where id = ?', ['quick:another', ada]);
    });
    await locked;
    const login = reasonOf(world.logIn('ada'));
    await waitUntil('the login waits', () => isLockAwaited(world.database));
    release();
    await ending;
    expect(await login).toBe('WRONG_CREDENTIALS');
    expect(await sessions()).toBe(0);
    await setHash(`quick:${PASSWORD}`);
  });

  it('ends with the sessions that a later transaction ends', async () => {
    const grant = await world.logIn('ada');
    const kept = (await world.actorOf(await world.logIn('ada'))).sessionId;
    const ended = await inTransaction(world.database, (em) => revokeSessionsOf(em, ada, world.clock.now(), kept));
    expect(ended).toEqual([(await world.actorOf(grant)).sessionId]);
    expect(await sessions()).toBe(1);
  });
});
