import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { registerAccount, type Actor, type ClientInfo } from '../../../src/accounts/index.js';
import type { RegisterAccountOptions } from '../../../src/accounts/registration/register-account.js';
import { ConflictError, UnauthenticatedError } from '../../../src/errors/index.js';
import { toDate } from '../../../src/time/stored-time.js';
import { recordStatements } from '../../support/database/count-statements.js';
import { createTestCore, type TestCore } from '../../support/service/test-core.js';

const BROWSER: ClientInfo = { address: '192.0.2.1', userAgent: 'Firefox' };

const ANONYMOUS: Actor = { kind: 'anonymous', authenticationError: new UnauthenticatedError('TOKEN_MISSING') };

let core: TestCore;

beforeAll(async () => {
  core = await createTestCore();
});
afterAll(() => core.remove());

function register(username: string, options: RegisterAccountOptions = {}) {
  const account = { username, password: 'seven quiet lanterns', email: `${username}@example.org`, displayName: null };
  return registerAccount(core.accounts, account, BROWSER, options);
}

function withKey(key: string, username: string): RegisterAccountOptions {
  return { operation: { key, operation: 'register', actor: ANONYMOUS, input: { username } } };
}

async function count(table: string, userId: string): Promise<number> {
  const column = table === 'outbox_task' ? 'registered_user_id' : 'user_id';
  const { rowCount } = await core.database.pool.query(`select from ${table} where ${column} = $1`, [userId]);
  return rowCount ?? 0;
}

/** The next statement runs, and its connection is lost before the result arrives. */
function loseNextResult(): jest.SpiedFunction<typeof core.database.pool.query> {
  const { pool } = core.database;
  const send = pool.query.bind(pool) as (config: never) => Promise<unknown>;
  const sendAndLose = async (config: never): Promise<void> => {
    await send(config);
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  };
  return jest.spyOn(pool, 'query').mockImplementationOnce(sendAndLose as never);
}

async function payloadsOf(userId: string): Promise<unknown[]> {
  const { rows } = await core.database.pool.query<{ payload: unknown }>(
    'select payload from outbox_task where registered_user_id = $1',
    [userId],
  );
  return rows.map(({ payload }) => payload);
}

describe('registerAccount', () => {
  it('stores the account, the verification of its address and its follow-ups by one statement', async () => {
    const { result, texts } = await recordStatements(() => register('ada'));
    expect(texts).toHaveLength(1);
    expect(result.user).toMatchObject({
      username: 'ada',
      email: 'ada@example.org',
      emailVerified: false,
      roles: ['USER'],
    });
    expect(result.followUps.map(({ name, status }) => [name, status])).toEqual([
      ['verify_email', 'QUEUED'],
      ['claim_invitation', 'QUEUED'],
      ['announce_registration', 'QUEUED'],
    ]);
    expect(await core.accounts.loaders.followUps(result.user.id)).toEqual(result.followUps);
    expect(await payloadsOf(result.user.id)).toEqual(result.followUps.map(() => ({ userId: result.user.id })));
    const viewer = await core.accounts.loaders.viewer(result.user.id);
    expect({ ...viewer, createdAt: toDate(viewer!.createdAt) }).toMatchObject(result.user);
    expect(await count('email_verification', result.user.id)).toBe(1);
  });

  it('stores nothing for a taken username', async () => {
    await expect(register('Ada', withKey('taken', 'Ada'))).rejects.toThrow(ConflictError);
    const { rows } = await core.database.pool.query('select count(*)::integer as keys from idempotent_request');
    expect(rows).toEqual([{ keys: 0 }]);
  });

  it('stores the Idempotency-Key as one of the account, with which it is erased', async () => {
    const { user } = await register('ida', withKey('own', 'ida'));
    const { rows } = await core.database.pool.query('select made, account_id from idempotent_request');
    expect(rows).toEqual([{ made: { userId: user.id }, account_id: user.id }]);
  });

  it('registers one of many concurrent registrations of a username', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => register('grace')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.filter(({ status }) => status === 'rejected')).toMatchObject(
      Array.from({ length: 19 }, () => ({ reason: { reason: 'USERNAME_TAKEN' } })),
    );
  });

  it('registers once under concurrent uses of one Idempotency-Key', async () => {
    const attempts = Array.from({ length: 20 }, () => register('mary', withKey('once', 'mary')));
    const results = await Promise.allSettled(attempts);
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ reason: 'REQUEST_IN_PROGRESS' });
    }
    const { rows } = await core.database.pool.query(`select from account where username = 'mary'`);
    expect(rows).toHaveLength(1);
  });

  it.each([
    ['without', {}],
    ['with', withKey('lost', 'rosa')],
  ])('registers once when the connection is lost after the commit, %s an Idempotency-Key', async (key, options) => {
    const username = key === 'with' ? 'rosa' : 'emmy';
    // After the search for an earlier result, which is the first statement under a key.
    const lost: { restore?: () => void } = {};
    const getTaskPayload = () => {
      const spy = loseNextResult();
      lost.restore = () => {
        spy.mockRestore();
      };
      return Promise.resolve({});
    };
    const { user, followUps } = await register(username, { ...options, getTaskPayload });
    lost.restore?.();
    expect(await core.accounts.loaders.followUps(user.id)).toEqual(followUps);
    expect(await count('outbox_task', user.id)).toBe(3);
  });
});
