import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authenticate, revokeToken } from '../../../src/accounts/index.js';
import type { TokenPair } from '../../../src/accounts/sessions/token-pair.js';
import { DAY_MS, SECOND_MS } from '../../../src/async/durations.js';
import { BROWSER, openSessionsWorld, reasonOf, type SessionsWorld } from './sessions-fixture.js';

let world: SessionsWorld;
let ada: string;

beforeAll(async () => {
  world = await openSessionsWorld();
  ada = await world.join('ada');
});

afterAll(() => world.remove());

/** What a request with that access token is told; 'none' when it is let in. */
async function problemOf({ accessToken }: Pick<TokenPair, 'accessToken'>): Promise<string> {
  const actor = await authenticate(world.accounts, [`Bearer ${accessToken}`]);
  return actor.kind === 'anonymous' ? actor.authenticationError.reason : 'none';
}

describe('a login', () => {
  it('gives both tokens, for the same session', async () => {
    const grant = await world.logIn('ada');
    expect(grant).toMatchObject({ expiresIn: 900, user: { id: ada, username: 'ada' } });
    expect(await world.sessionOf(grant)).toMatchObject({ generation: 1, user_agent: 'Firefox', address: '192.0.2.1' });
    const refreshed = await world.refresh(grant.refreshToken);
    expect((await world.actorOf(refreshed)).sessionId).toBe((await world.actorOf(grant)).sessionId);
  });

  it('stores nothing that a token could be made of', async () => {
    const { refreshToken, accessToken } = await world.logIn('ada');
    const { rows } = await world.database.pool.query<{ row: string }>(`
      select row_to_json(t)::text as row from (select * from session) t
      union all select row_to_json(t)::text from (select * from account) t`);
    const stored = rows.map(({ row }) => row).join();
    const mac = Buffer.from(refreshToken.slice(4), 'base64url').subarray(20);
    for (const secret of [refreshToken, accessToken, mac.toString('hex'), mac.toString('base64')])
      expect(stored).not.toContain(secret);
  });
});

describe('a refresh', () => {
  it('gives the next tokens, and remembers who asked', async () => {
    const first = await world.logIn('ada');
    const second = await world.refresh(first.refreshToken, { address: '2001:db8::1', userAgent: null });
    expect(second).toMatchObject({ expiresIn: 900, user: { id: ada } });
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(await world.sessionOf(second)).toMatchObject({ generation: 2, user_agent: null, address: '2001:db8::1' });
    expect(await problemOf(second)).toBe('none');
  });

  it('leaves the earlier access token in force', async () => {
    const first = await world.logIn('ada');
    await world.refresh(first.refreshToken);
    expect(await problemOf(first)).toBe('none');
  });

  it('tells what the account has become since', async () => {
    const { refreshToken } = await world.logIn('ada');
    await world.database.pool.query(`update account set roles = '{USER,ADMIN}' where id = $1`, [ada]);
    const { user, accessToken } = await world.refresh(refreshToken);
    expect(user.roles).toEqual(['USER', 'ADMIN']);
    expect((await world.accounts.accessTokens.verify(accessToken)).roles).toEqual(['USER', 'ADMIN']);
    await world.database.pool.query(`update account set roles = '{USER}' where id = $1`, [ada]);
  });

  it('keeps the beginning of a user agent that is too long, and none that is empty', async () => {
    const first = await world.logIn('ada', { ...BROWSER, userAgent: '' });
    expect((await world.sessionOf(first))?.user_agent).toBeNull();
    const second = await world.refresh(first.refreshToken, { ...BROWSER, userAgent: 'x'.repeat(10_000) });
    expect((await world.sessionOf(second))?.user_agent).toBe('x'.repeat(300));
  });
});

describe('the predecessor of the current token', () => {
  it('gives out the same successor for ten seconds', async () => {
    const { refreshToken } = await world.logIn('ada');
    const second = await world.refresh(refreshToken);
    for (const seconds of [0, 5, 5]) {
      world.clock.advance(seconds * SECOND_MS);
      const repeated = await world.refresh(refreshToken);
      expect(repeated.refreshToken).toBe(second.refreshToken);
      expect(await problemOf(repeated)).toBe('none');
    }
    expect(await world.sessionOf(second)).toMatchObject({ generation: 2 });
  });

  it('gives out a successor that works like any other (Infisical#5947)', async () => {
    const { refreshToken } = await world.logIn('ada');
    await world.refresh(refreshToken);
    const repeated = await world.refresh(refreshToken);
    const third = await world.refresh(repeated.refreshToken);
    const fourth = await world.refresh(third.refreshToken);
    expect(await world.sessionOf(fourth)).toMatchObject({ generation: 4 });
  });

  it('does not prolong its own grace', async () => {
    const { refreshToken } = await world.logIn('ada');
    await world.refresh(refreshToken);
    world.clock.advance(9 * SECOND_MS);
    await world.refresh(refreshToken);
    world.clock.advance(2 * SECOND_MS);
    expect(await reasonOf(world.refresh(refreshToken))).toBe('REFRESH_REUSED');
  });

  it('ends the session after the grace, with every token of it', async () => {
    const first = await world.logIn('ada');
    const second = await world.refresh(first.refreshToken);
    world.clock.advance(10 * SECOND_MS + 1);
    expect(await reasonOf(world.refresh(first.refreshToken))).toBe('REFRESH_REUSED');
    expect(await world.sessionOf(second)).toBeNull();
    expect(await reasonOf(world.refresh(first.refreshToken))).toBe('REFRESH_INVALID');
    expect(await reasonOf(world.refresh(second.refreshToken))).toBe('REFRESH_INVALID');
    expect(await problemOf(first)).toBe('TOKEN_REVOKED');
    expect(await problemOf(second)).toBe('TOKEN_REVOKED');
  });
});

describe('an older token', () => {
  it('ends the session even within the grace (supabase/auth#1901)', async () => {
    const first = await world.logIn('ada');
    const second = await world.refresh(first.refreshToken);
    const third = await world.refresh(second.refreshToken);
    expect(await reasonOf(world.refresh(first.refreshToken))).toBe('REFRESH_REUSED');
    for (const { refreshToken } of [first, second, third])
      expect(await reasonOf(world.refresh(refreshToken))).toBe('REFRESH_INVALID');
    expect(await problemOf(third)).toBe('TOKEN_REVOKED');
  });

  it('ends no other session of the same person', async () => {
    const other = await world.logIn('ada');
    const first = await world.logIn('ada');
    await world.refresh((await world.refresh(first.refreshToken)).refreshToken);
    expect(await reasonOf(world.refresh(first.refreshToken))).toBe('REFRESH_REUSED');
    expect(await problemOf(other)).toBe('none');
    expect(await reasonOf(world.refresh(other.refreshToken))).toBe('none');
  });
});

describe('a session', () => {
  it('lasts thirty days without a refresh, and not a moment longer', async () => {
    const kept = await world.logIn('ada');
    const lost = await world.logIn('ada');
    world.clock.advance(30 * DAY_MS - 1);
    const refreshed = await world.refresh(kept.refreshToken);
    expect(new Date((await world.sessionOf(refreshed))?.expires_at ?? 0)).toEqual(world.clock.in(30 * DAY_MS));
    world.clock.advance(1);
    expect(await reasonOf(world.refresh(lost.refreshToken))).toBe('REFRESH_INVALID');
  });

  it('lasts ninety days however often it is refreshed, and its access tokens no longer', async () => {
    let grant = await world.logIn('ada');
    const end = world.clock.in(90 * DAY_MS);
    for (let refreshes = 0; refreshes < 4; refreshes += 1) {
      world.clock.advance(22 * DAY_MS);
      grant = await world.refresh(grant.refreshToken);
      expect(grant.expiresIn).toBe(900);
    }
    world.clock.moveTo(new Date(end.getTime() - 60 * SECOND_MS));
    grant = await world.refresh(grant.refreshToken);
    expect(grant.expiresIn).toBe(60);
    expect(new Date((await world.sessionOf(grant))?.expires_at ?? 0)).toEqual(end);
    world.clock.moveTo(new Date(end.getTime() - 1));
    grant = await world.refresh(grant.refreshToken);
    expect(grant.expiresIn).toBe(1);
    world.clock.moveTo(end);
    expect(await reasonOf(world.refresh(grant.refreshToken))).toBe('REFRESH_INVALID');
  });

  it('is not refreshed for an account that was disabled', async () => {
    await world.join('dora');
    const { refreshToken } = await world.logIn('dora');
    await world.database.pool.query(`update account set disabled_at = now() where username = 'dora'`);
    expect(await reasonOf(world.refresh(refreshToken))).toBe('REFRESH_INVALID');
  });

  it('ends with its account', async () => {
    await world.join('gone');
    const { refreshToken } = await world.logIn('gone');
    await world.database.pool.query(`delete from account where username = 'gone'`);
    expect(await reasonOf(world.refresh(refreshToken))).toBe('REFRESH_INVALID');
  });
});

describe('what is no refresh token', () => {
  it('is REFRESH_INVALID, whatever it is', async () => {
    const { accessToken, refreshToken } = await world.logIn('ada');
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
    for (const token of forged) expect(await reasonOf(world.refresh(token))).toBe('REFRESH_INVALID');
    expect(await reasonOf(world.refresh(refreshToken))).toBe('none');
  });
});

describe('parallel uses', () => {
  it('of one token, sixty of them, make one lineage (directus#22360)', async () => {
    const { refreshToken } = await world.logIn('ada');
    const grants = await Promise.all(Array.from({ length: 60 }, () => world.refresh(refreshToken)));
    const successors = new Set(grants.map((grant) => grant.refreshToken));
    expect(successors.size).toBe(1);
    expect(await Promise.all(grants.map(problemOf))).toEqual(grants.map(() => 'none'));
    expect(await world.sessionOf(grants[0]!)).toMatchObject({ generation: 2 });
    expect(await reasonOf(world.refresh([...successors][0]!))).toBe('none');
  });

  it('with a logout among them leave nothing alive, a hundred times (keycloak#51312)', async () => {
    for (let round = 0; round < 100; round += 1) {
      const first = await world.logIn('ada');
      const grants: TokenPair[] = [first];
      const refresh = world.refresh(first.refreshToken).then(
        (grant) => grants.push(grant),
        () => undefined,
      );
      const logout = revokeToken(world.accounts, await world.actorOf(first), {
        token: first.refreshToken,
        everywhere: round % 2 === 0,
      });
      await Promise.all(round % 3 === 0 ? [refresh, logout] : [logout, refresh]);
      for (const grant of grants) {
        expect(await reasonOf(world.refresh(grant.refreshToken))).toBe('REFRESH_INVALID');
        expect(await problemOf(grant)).toBe('TOKEN_REVOKED');
      }
    }
  });
});
