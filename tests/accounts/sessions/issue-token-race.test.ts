import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issueToken, type PasswordHasher } from '../../../src/accounts/index.js';
import { inTransaction } from '../../../src/database/index.js';
import { isLockAwaited } from '../../support/database/lock-waits.js';
import { revokeSessionsOf } from '../../support/revoke-sessions-of.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { waitUntil } from '../../support/wait-until.js';
import { BROWSER, createSessionsFixture, PASSWORD, reasonOf, type SessionsFixture } from './sessions-fixture.js';

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

let fixture: SessionsFixture;
let ada: string;

beforeAll(async () => {
  fixture = await createSessionsFixture({ hasher: HASHER });
  ada = await fixture.join('ada');
});

beforeEach(() => {
  meanwhile = () => Promise.resolve();
});

afterAll(() => fixture.remove());

async function sessions(): Promise<number> {
  const { rows } = await fixture.database.pool.query('select 1 from session where user_id = $1', [ada]);
  return rows.length;
}

async function setHash(hash: string): Promise<void> {
  await fixture.database.pool.query('update account set password_hash = $1 where id = $2', [hash, ada]);
}

describe('issueToken after the verification of the password', () => {
  it('starts no session when the password was changed concurrently', async () => {
    meanwhile = () => setHash('quick:another');
    expect(await reasonOf(fixture.logIn('ada'))).toBe('WRONG_CREDENTIALS');
    expect(await sessions()).toBe(0);
    await setHash(`quick:${PASSWORD}`);
  });

  it('starts no session when the account was disabled concurrently', async () => {
    const set = async (value: string): Promise<void> => {
      await fixture.database.pool.query(`update account set disabled_at = ${value} where id = $1`, [ada]);
    };
    meanwhile = () => set('now()');
    expect(await reasonOf(fixture.logIn('ada'))).toBe('WRONG_CREDENTIALS');
    expect(await sessions()).toBe(0);
    await set('null');
  });

  it('succeeds when a concurrent login rehashed the same password', async () => {
    isOutdated = true;
    await setHash(`weak-quick:${PASSWORD}`);
    meanwhile = () => setHash(`quick:${PASSWORD}`);
    expect(await reasonOf(fixture.logIn('ada'))).toBe('none');
    const { rows } = await fixture.database.pool.query('select password_hash from account where id = $1', [ada]);
    expect(rows).toEqual([{ password_hash: `quick:${PASSWORD}` }]);
    isOutdated = false;
  });

  it('starts one session when it rehashes the password and repeats its statement after a lost response', async () => {
    isOutdated = true;
    await setHash(`weak-quick:${PASSWORD}`);
    const before = await sessions();
    const { database } = fixture.accounts;
    const write: typeof database.write = async (statement, values, policy) => {
      await database.write(statement, values, policy);
      return database.write(statement, values, policy);
    };
    const deps = { ...fixture.accounts, database: { ...database, write } };
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
    const ending = inTransaction(fixture.database, async (em) => {
      await revokeSessionsOf(em, ada, fixture.clock.now());
      isLocked();
      await released;
      await em.execute('update account set password_hash = ? where id = ?', ['quick:another', ada]);
    });
    await locked;
    const login = reasonOf(fixture.logIn('ada'));
    await waitUntil('the login waits', () => isLockAwaited(fixture.database));
    release();
    await ending;
    expect(await login).toBe('WRONG_CREDENTIALS');
    expect(await sessions()).toBe(0);
    await setHash(`quick:${PASSWORD}`);
  });

  it('starts a session that a later revocation of all sessions includes', async () => {
    const grant = await fixture.logIn('ada');
    const kept = (await fixture.actorOf(await fixture.logIn('ada'))).sessionId;
    const ended = await inTransaction(fixture.database, (em) => revokeSessionsOf(em, ada, fixture.clock.now(), kept));
    expect(ended).toEqual([(await fixture.actorOf(grant)).sessionId]);
    expect(await sessions()).toBe(1);
  });
});
