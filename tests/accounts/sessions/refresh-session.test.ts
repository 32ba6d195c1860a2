import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import { authenticate, refreshSession, revokeToken } from '../../../src/accounts/index.js';
import type { TokenPair } from '../../../src/accounts/sessions/token-pair.js';
import { DAY_MS, SECOND_MS } from '../../../src/async/durations.js';
import { openCore } from '../../../src/open-core.js';
import { recordStatements } from '../../support/database/count-statements.js';
import { BROWSER, createSessionsFixture, reasonOf, type SessionsFixture } from './sessions-fixture.js';

let fixture: SessionsFixture;
let ada: string;

beforeAll(async () => {
  fixture = await createSessionsFixture();
  ada = await fixture.join('ada');
});

afterAll(() => fixture.remove());

/** What a request with that access token is told; 'none' when it is let in. */
async function problemOf({ accessToken }: Pick<TokenPair, 'accessToken'>): Promise<string> {
  const actor = await authenticate(fixture.accounts, [`Bearer ${accessToken}`]);
  return actor.kind === 'anonymous' ? actor.authenticationError.reason : 'none';
}

describe('issueToken', () => {
  it('returns both tokens of one session', async () => {
    const grant = await fixture.logIn('ada');
    expect(grant).toMatchObject({ expiresIn: 900, user: { id: ada, username: 'ada' } });
    expect(await fixture.sessionOf(grant)).toMatchObject({
      generation: 1,
      user_agent: 'Firefox',
      address: '192.0.2.1',
    });
    const refreshed = await fixture.refresh(grant.refreshToken);
    expect((await fixture.actorOf(refreshed)).sessionId).toBe((await fixture.actorOf(grant)).sessionId);
  });

  it('stores nothing from which a token could be derived', async () => {
    const { refreshToken, accessToken } = await fixture.logIn('ada');
    const { rows } = await fixture.database.pool.query<{ row: string }>(`
      select row_to_json(t)::text as row from (select * from session) t
      union all select row_to_json(t)::text from (select * from account) t`);
    const stored = rows.map(({ row }) => row).join();
    const mac = Buffer.from(refreshToken.slice(4), 'base64url').subarray(20);
    for (const secret of [refreshToken, accessToken, mac.toString('hex'), mac.toString('base64')])
      expect(stored).not.toContain(secret);
  });
});

describe('refreshSession', () => {
  it('returns the next tokens and records the client', async () => {
    const first = await fixture.logIn('ada');
    const second = await fixture.refresh(first.refreshToken, { address: '2001:db8::1', userAgent: null });
    expect(second).toMatchObject({ expiresIn: 900, user: { id: ada } });
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(await fixture.sessionOf(second)).toMatchObject({ generation: 2, user_agent: null, address: '2001:db8::1' });
    expect(await problemOf(second)).toBe('none');
  });

  it('keeps the earlier access token valid', async () => {
    const first = await fixture.logIn('ada');
    await fixture.refresh(first.refreshToken);
    expect(await problemOf(first)).toBe('none');
  });

  it('returns the current roles and profile of the account', async () => {
    const { refreshToken } = await fixture.logIn('ada');
    await fixture.database.pool.query(`update account set roles = '{USER,ADMIN}' where id = $1`, [ada]);
    const { user, accessToken } = await fixture.refresh(refreshToken);
    expect(user.roles).toEqual(['USER', 'ADMIN']);
    expect((await fixture.accounts.accessTokens.verify(accessToken)).roles).toEqual(['USER', 'ADMIN']);
    await fixture.database.pool.query(`update account set roles = '{USER}' where id = $1`, [ada]);
  });

  it('truncates a long user agent and stores null for an empty one', async () => {
    const first = await fixture.logIn('ada', { ...BROWSER, userAgent: '' });
    expect((await fixture.sessionOf(first))?.user_agent).toBeNull();
    const second = await fixture.refresh(first.refreshToken, { ...BROWSER, userAgent: 'x'.repeat(10_000) });
    expect((await fixture.sessionOf(second))?.user_agent).toBe('x'.repeat(300));
  });
});

describe('the statements of refreshSession', () => {
  it('are one for the current token, and two for its predecessor', async () => {
    const { refreshToken } = await fixture.logIn('ada');
    expect((await recordStatements(() => fixture.refresh(refreshToken))).texts).toHaveLength(1);
    expect((await recordStatements(() => fixture.refresh(refreshToken))).texts).toHaveLength(2);
  });

  it('rotate once when the connection is lost after the rotation', async () => {
    const { refreshToken } = await fixture.logIn('ada');
    const { pool } = fixture.database;
    const send = pool.query.bind(pool) as (config: never) => Promise<unknown>;
    const sendAndLose = async (config: never): Promise<void> => {
      await send(config);
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    };
    const query = jest.spyOn(pool, 'query').mockImplementationOnce(sendAndLose as never);
    const refreshed = await fixture.refresh(refreshToken);
    query.mockRestore();
    expect(await fixture.sessionOf(refreshed)).toMatchObject({ generation: 2 });
    expect(await reasonOf(fixture.refresh(refreshed.refreshToken))).toBe('none');
  });
});

describe('refreshSession with the predecessor of the current token', () => {
  it('returns the same successor for 10 s', async () => {
    const { refreshToken } = await fixture.logIn('ada');
    const second = await fixture.refresh(refreshToken);
    for (const seconds of [0, 5, 5]) {
      fixture.clock.advance(seconds * SECOND_MS);
      const repeated = await fixture.refresh(refreshToken);
      expect(repeated.refreshToken).toBe(second.refreshToken);
      expect(await problemOf(repeated)).toBe('none');
    }
    expect(await fixture.sessionOf(second)).toMatchObject({ generation: 2 });
  });

  it('returns a successor that works like any other (Infisical#5947)', async () => {
    const { refreshToken } = await fixture.logIn('ada');
    await fixture.refresh(refreshToken);
    const repeated = await fixture.refresh(refreshToken);
    const third = await fixture.refresh(repeated.refreshToken);
    const fourth = await fixture.refresh(third.refreshToken);
    expect(await fixture.sessionOf(fourth)).toMatchObject({ generation: 4 });
  });

  it('does not extend its grace period', async () => {
    const { refreshToken } = await fixture.logIn('ada');
    await fixture.refresh(refreshToken);
    fixture.clock.advance(9 * SECOND_MS);
    await fixture.refresh(refreshToken);
    fixture.clock.advance(2 * SECOND_MS);
    expect(await reasonOf(fixture.refresh(refreshToken))).toBe('REFRESH_REUSED');
  });

  it('revokes the session and all its tokens after the grace period', async () => {
    const first = await fixture.logIn('ada');
    const second = await fixture.refresh(first.refreshToken);
    fixture.clock.advance(10 * SECOND_MS + 1);
    expect(await reasonOf(fixture.refresh(first.refreshToken))).toBe('REFRESH_REUSED');
    expect(await fixture.sessionOf(second)).toBeNull();
    expect(await reasonOf(fixture.refresh(first.refreshToken))).toBe('REFRESH_INVALID');
    expect(await reasonOf(fixture.refresh(second.refreshToken))).toBe('REFRESH_INVALID');
    expect(await problemOf(first)).toBe('TOKEN_REVOKED');
    expect(await problemOf(second)).toBe('TOKEN_REVOKED');
  });
});

describe('refreshSession with an older token', () => {
  it('revokes the session even within the grace period (supabase/auth#1901)', async () => {
    const first = await fixture.logIn('ada');
    const second = await fixture.refresh(first.refreshToken);
    const third = await fixture.refresh(second.refreshToken);
    expect(await reasonOf(fixture.refresh(first.refreshToken))).toBe('REFRESH_REUSED');
    for (const { refreshToken } of [first, second, third])
      expect(await reasonOf(fixture.refresh(refreshToken))).toBe('REFRESH_INVALID');
    expect(await problemOf(third)).toBe('TOKEN_REVOKED');
  });

  it('revokes no other session of the account', async () => {
    const other = await fixture.logIn('ada');
    const first = await fixture.logIn('ada');
    await fixture.refresh((await fixture.refresh(first.refreshToken)).refreshToken);
    expect(await reasonOf(fixture.refresh(first.refreshToken))).toBe('REFRESH_REUSED');
    expect(await problemOf(other)).toBe('none');
    expect(await reasonOf(fixture.refresh(other.refreshToken))).toBe('none');
  });
});

describe('session lifetime', () => {
  it('is 30 days without a refresh, to the millisecond', async () => {
    const kept = await fixture.logIn('ada');
    const lost = await fixture.logIn('ada');
    fixture.clock.advance(30 * DAY_MS - 1);
    const refreshed = await fixture.refresh(kept.refreshToken);
    expect(new Date((await fixture.sessionOf(refreshed))?.expires_at ?? 0)).toEqual(fixture.clock.in(30 * DAY_MS));
    fixture.clock.advance(1);
    expect(await reasonOf(fixture.refresh(lost.refreshToken))).toBe('REFRESH_INVALID');
  });

  it('is at most 90 days with refreshes, also for its access tokens', async () => {
    let grant = await fixture.logIn('ada');
    const end = fixture.clock.in(90 * DAY_MS);
    for (let refreshes = 0; refreshes < 4; refreshes += 1) {
      fixture.clock.advance(22 * DAY_MS);
      grant = await fixture.refresh(grant.refreshToken);
      expect(grant.expiresIn).toBe(900);
    }
    fixture.clock.moveTo(new Date(end.getTime() - 60 * SECOND_MS));
    grant = await fixture.refresh(grant.refreshToken);
    expect(grant.expiresIn).toBe(60);
    expect(new Date((await fixture.sessionOf(grant))?.expires_at ?? 0)).toEqual(end);
    fixture.clock.moveTo(new Date(end.getTime() - 1));
    grant = await fixture.refresh(grant.refreshToken);
    expect(grant.expiresIn).toBe(1);
    fixture.clock.moveTo(end);
    expect(await reasonOf(fixture.refresh(grant.refreshToken))).toBe('REFRESH_INVALID');
  });

  it('ends when the account is disabled', async () => {
    await fixture.join('dora');
    const { refreshToken } = await fixture.logIn('dora');
    await fixture.database.pool.query(`update account set disabled_at = now() where username = 'dora'`);
    expect(await reasonOf(fixture.refresh(refreshToken))).toBe('REFRESH_INVALID');
  });

  it('ends when the account is deleted', async () => {
    await fixture.join('gone');
    const { refreshToken } = await fixture.logIn('gone');
    await fixture.database.pool.query(`delete from account where username = 'gone'`);
    expect(await reasonOf(fixture.refresh(refreshToken))).toBe('REFRESH_INVALID');
  });
});

describe('refreshSession with other text', () => {
  it('throws REFRESH_INVALID for any text that is no refresh token', async () => {
    const { accessToken, refreshToken } = await fixture.logIn('ada');
    const forged = [
      '',
      ' ',
      'cvr_',
      refreshToken.slice(4),
      refreshToken.toUpperCase(),
      `${refreshToken} `,
      `cvr_${'A'.repeat(70)}`,
      accessToken,
      '\u0000',
      '\ud800',
    ];
    for (const token of forged) expect(await reasonOf(fixture.refresh(token))).toBe('REFRESH_INVALID');
    expect(await reasonOf(fixture.refresh(refreshToken))).toBe('none');
  });
});

describe('parallel refreshes', () => {
  it('of one token by sixty clients create one lineage (directus#22360)', async () => {
    const { refreshToken } = await fixture.logIn('ada');
    const grants = await Promise.all(Array.from({ length: 60 }, () => fixture.refresh(refreshToken)));
    const successors = new Set(grants.map((grant) => grant.refreshToken));
    expect(successors.size).toBe(1);
    expect(await Promise.all(grants.map(problemOf))).toEqual(grants.map(() => 'none'));
    expect(await fixture.sessionOf(grants[0]!)).toMatchObject({ generation: 2 });
    expect(await reasonOf(fixture.refresh([...successors][0]!))).toBe('none');
  });

  it('of one token in two processes create one lineage', async () => {
    const other = await openCore(fixture.settings, { ...fixture, log: pino({ level: 'silent' }) });
    const { refreshToken } = await fixture.logIn('ada');
    const processes = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? fixture.accounts : other.accounts));
    const grants = await Promise.all(processes.map((accounts) => refreshSession(accounts, refreshToken, BROWSER)));
    await other.close();
    expect(new Set(grants.map((grant) => grant.refreshToken)).size).toBe(1);
    expect(await fixture.sessionOf(grants[0]!)).toMatchObject({ generation: 2 });
  });

  it('with a concurrent logout leave no valid token in 100 rounds (keycloak#51312)', async () => {
    for (let round = 0; round < 100; round += 1) {
      const first = await fixture.logIn('ada');
      const grants: TokenPair[] = [first];
      const refresh = fixture.refresh(first.refreshToken).then(
        (grant) => grants.push(grant),
        () => undefined,
      );
      const logout = revokeToken(fixture.accounts, await fixture.actorOf(first), {
        token: first.refreshToken,
        everywhere: round % 2 === 0,
      });
      await Promise.all(round % 3 === 0 ? [refresh, logout] : [logout, refresh]);
      for (const grant of grants) {
        expect(await reasonOf(fixture.refresh(grant.refreshToken))).toBe('REFRESH_INVALID');
        expect(await problemOf(grant)).toBe('TOKEN_REVOKED');
      }
    }
  });
});
