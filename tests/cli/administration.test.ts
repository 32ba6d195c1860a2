import { describe, expect, it } from '@jest/globals';
import { withClient } from '../support/database/test-database.js';
import { UNKNOWN_ID } from '../support/unknown-id.js';
import { waitUntil } from '../support/wait-until.js';
import { registerAndSignIn, type SignedInCaller } from './fixtures/register-and-sign-in.js';
import { useCliWithService } from './fixtures/use-cli-with-service.js';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('administration commands beside a running service', () => {
  const running = useCliWithService();

  /** Rows that a command lists, without the headings. */
  async function listed(...args: readonly string[]): Promise<{ rows: string[][]; err: string }> {
    const { code, out, err } = await running.fixture.convene(...args);
    expect(code).toBe(0);
    const [, ...rows] = out.split('\n');
    return { err, rows: rows.map((row) => row.split(/ {2,}/)) };
  }

  async function isOut({ me }: SignedInCaller): Promise<boolean> {
    return JSON.stringify(await me()).includes('TOKEN_REVOKED');
  }

  it('revoke the right and the sessions of an administrator', async () => {
    const ada = await registerAndSignIn(running.service.url, 'ada');
    await running.fixture.convene('admin', 'grant', 'ada');
    expect(await running.fixture.convene('admin', 'grant', 'ada')).toEqual({
      code: 0,
      out: 'ada is an administrator.',
      err: '',
    });
    expect(await ada.me()).toMatchObject({ roles: expect.arrayContaining(['admin']) });
    expect(await running.fixture.convene('admin', 'revoke', 'ADA')).toEqual({
      code: 0,
      out: 'ada is no administrator.',
      err: '',
    });
    await waitUntil('the session to end', () => isOut(ada));
    expect(await running.fixture.convene('admin', 'revoke', 'ada')).toEqual({
      code: 0,
      out: 'ada is no administrator.',
      err: '',
    });
  });

  it('disable an account, revoke its sessions, and enable it again', async () => {
    const ben = await registerAndSignIn(running.service.url, 'ben');
    expect(await running.fixture.convene('users', 'disable', 'BEN')).toEqual({
      code: 0,
      out: 'ben is kept out.',
      err: '',
    });
    await waitUntil('the session to end', () => isOut(ben));
    expect((await listed('users', 'list', '--search', 'ben')).rows).toEqual([
      [ben.userId, 'ben', 'user', 'yes', expect.any(String), expect.any(String)],
    ]);
    expect(await running.fixture.convene('users', 'enable', 'ben')).toEqual({
      code: 0,
      out: 'ben is let in.',
      err: '',
    });
    expect(await isOut(ben)).toBe(true);
    expect((await listed('users', 'list', '--search', 'ben')).rows).toEqual([
      [ben.userId, 'ben', 'user', 'no', expect.any(String), expect.any(String)],
    ]);
  });

  it.each([
    ['admin', 'grant'],
    ['admin', 'revoke'],
    ['users', 'disable'],
    ['users', 'enable'],
  ])('%s %s fails when no account has the username', async (...command) => {
    for (const username of ['nobody', 'no body', ''])
      expect(await running.fixture.convene(...command, username)).toEqual({
        code: 1,
        out: '',
        err: 'There is no such user.',
      });
  });

  it('list accounts, newest first, up to --limit', async () => {
    const cat = await registerAndSignIn(running.service.url, 'Cat.Stevens');
    const {
      rows: [first, ...others],
      err,
    } = await listed('users', 'list');
    expect(first).toEqual([
      cat.userId,
      'Cat.Stevens',
      'user',
      'no',
      expect.stringMatching(MOMENT),
      expect.stringMatching(MOMENT),
    ]);
    expect(err).toBe(`${others.length + 1} of ${others.length + 1}.`);
    expect((await running.fixture.convene('users', 'list')).out).toMatch(
      /^ID {36}USERNAME +ROLES +DISABLED +REGISTERED +LAST LOGIN\n/,
    );
    expect(await listed('users', 'list', '--limit', '1')).toEqual({ rows: [first], err: `1 of ${others.length + 1}.` });
    expect(await listed('users', 'list', '--search', 'cAT.')).toEqual({ rows: [first], err: '1 of 1.' });
    expect(await running.fixture.convene('users', 'list', '--search', '%')).toEqual({
      code: 0,
      out: '',
      err: '0 of 0.',
    });
    expect(await running.fixture.convene('users', 'list', '--search', 'x'.repeat(255))).toEqual({
      code: 1,
      out: '',
      err: 'search must be at most 254 characters',
    });
  });

  it('list API keys and revoke one', async () => {
    const { out: secret } = await running.fixture.convene(
      'api-key',
      'create',
      '--name',
      'kiosk',
      '--scope',
      'groups:read',
      '--scope',
      'scores:write',
      '--expires',
      '2999-12-31',
    );
    const read = async (): Promise<unknown> =>
      (
        (await (
          await fetch(`${running.service.url}/api/auth/me`, { headers: { authorization: `Bearer ${secret}` } })
        ).json()) as { reason: unknown }
      ).reason;
    expect(await read()).toBe('SCOPE_REQUIRED');
    await running.service.accounts.apiKeyUsage.flush();
    const { rows, err } = await listed('api-key', 'list');
    expect(rows).toEqual([
      [
        expect.stringMatching(/^[\da-f-]{36}$/),
        secret.slice(0, 10),
        'kiosk',
        'groups:read scores:write',
        '2999-12-31T00:00:00.000Z',
        expect.stringMatching(MOMENT),
      ],
    ]);
    expect(err).toBe('1 in all.');
    const id = rows[0]?.[0] ?? '';
    expect(await running.fixture.convene('api-key', 'revoke', id.toUpperCase())).toEqual({
      code: 0,
      out: 'The key "kiosk" has ended.',
      err: '',
    });
    expect(await read()).toBe('TOKEN_INVALID');
    expect(await running.fixture.convene('api-key', 'list')).toEqual({ code: 0, out: '', err: '0 in all.' });
    expect(await running.fixture.convene('api-key', 'revoke', id)).toEqual({
      code: 1,
      out: '',
      err: 'There is no such API key.',
    });
  });

  it('queue a failed follow-up, which the service then runs', async () => {
    const dan = await registerAndSignIn(running.service.url, 'dan');
    const status = (where: string) =>
      withClient(
        running.fixture.databaseUrl,
        async (client) =>
          (
            await client.query<{ id: string; status: string }>(
              `select id, status from outbox_task where registered_user_id = $1 and name = 'announce_registration' ` +
                `and ${where}`,
              [dan.userId],
            )
          ).rows[0],
      );
    await waitUntil('it to be done', async () => (await status('true'))?.status === 'DONE');
    // The state after a failed attempt: neither done nor recorded.
    await withClient(running.fixture.databaseUrl, async (client) => {
      await client.query('delete from account_event where user_id = $1', [dan.userId]);
      await client.query(
        "update outbox_task set status = 'FAILED', last_error = 'It rained.' where registered_user_id = $1 and " +
          "name = 'announce_registration'",
        [dan.userId],
      );
    });
    const { rows } = await listed('follow-ups', 'list', '--status', 'failed');
    expect(rows).toMatchObject([
      [
        expect.any(String),
        'announce_registration',
        'failed',
        '1',
        expect.stringMatching(MOMENT),
        dan.userId,
        'It rained.',
      ],
    ]);
    expect((await running.fixture.convene('follow-ups', 'retry', rows[0]?.[0] ?? '')).code).toBe(0);
    await waitUntil('it to be done again', async () => (await status('last_error is null'))?.status === 'DONE');
    expect(await running.fixture.convene('follow-ups', 'retry', UNKNOWN_ID)).toMatchObject({ code: 1, out: '' });
  });

  it('list audit events with actor and subject, newest first', async () => {
    await registerAndSignIn(running.service.url, 'eve');
    await running.fixture.convene('users', 'disable', 'eve');
    const { rows, err } = await listed('audit', 'list', '--user', 'EVE');
    const at = expect.stringMatching(MOMENT);
    expect(rows).toEqual([
      [at, 'account.disabled', '-', 'eve'],
      [at, 'login', 'eve', 'eve', expect.stringMatching(/^\{"sessionId":"[\da-f-]{36}"\}$/)],
    ]);
    expect(err).toBe('2 of 2.');
    const actions = (await listed('audit', 'list', '--limit', '1000')).rows.map(([, action]) => action);
    for (const action of [
      'role.granted',
      'role.revoked',
      'account.disabled',
      'account.enabled',
      'api-key.created',
      'api-key.revoked',
      'follow-up.retried',
    ])
      expect(actions).toContain(action);
    expect(await listed('audit', 'list', '--limit', '1')).toMatchObject({
      rows: [[at, 'account.disabled', '-', 'eve']],
    });
    expect(await running.fixture.convene('audit', 'list', '--user', 'nobody')).toEqual({
      code: 1,
      out: '',
      err: 'There is no such user.',
    });
  });
});
