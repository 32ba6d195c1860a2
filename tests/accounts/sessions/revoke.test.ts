import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authenticate, listSessions, newId, revokeSession, revokeToken } from '../../../src/accounts/index.js';
import type { TokenPair } from '../../../src/accounts/sessions/token-pair.js';
import { DAY_MS } from '../../../src/async/durations.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { serviceActor } from '../../support/groups/groups-fixture.js';
import { BROWSER, createSessionsFixture, reasonOf, type SessionsFixture } from './sessions-fixture.js';

let fixture: SessionsFixture;
let ada: string;

beforeAll(async () => {
  fixture = await createSessionsFixture();
  ada = await fixture.join('ada');
  await fixture.join('ben');
});

afterAll(() => fixture.remove());

async function isAlive({ accessToken, refreshToken }: TokenPair): Promise<boolean> {
  const actor = await authenticate(fixture.accounts, [`Bearer ${accessToken}`]);
  const reason = await reasonOf(fixture.refresh(refreshToken));
  const isUser = actor.kind === 'user';
  expect(isUser).toBe(reason === 'none');
  if (actor.kind === 'anonymous')
    expect([actor.authenticationError.reason, reason]).toEqual(['TOKEN_REVOKED', 'REFRESH_INVALID']);
  return isUser;
}

/** Logs out with a token and nothing else. */
async function logOut(token: string, everywhere = false): Promise<number> {
  const anonymous = await authenticate(fixture.accounts, []);
  return (await revokeToken(fixture.accounts, anonymous, { token, everywhere })).revokedSessions;
}

describe('revokeToken', () => {
  it('revokes the session of the refresh token, and no other', async () => {
    const [one, other, bens] = [await fixture.logIn('ada'), await fixture.logIn('ada'), await fixture.logIn('ben')];
    expect(await logOut(one.refreshToken)).toBe(1);
    expect(await Promise.all([one, other, bens].map(isAlive))).toEqual([false, true, true]);
  });

  it('accepts any generation of the refresh token', async () => {
    const first = await fixture.logIn('ada');
    const third = await fixture.refresh((await fixture.refresh(first.refreshToken)).refreshToken);
    expect(await logOut(first.refreshToken)).toBe(1);
    expect(await isAlive(third)).toBe(false);
  });

  it('accepts an access token of the session, also after a refresh', async () => {
    const first = await fixture.logIn('ada');
    const second = await fixture.refresh(first.refreshToken);
    expect(await logOut(first.accessToken)).toBe(1);
    expect(await isAlive(second)).toBe(false);
  });

  it('accepts a token of an expired session', async () => {
    const { refreshToken } = await fixture.logIn('ada');
    fixture.clock.advance(31 * DAY_MS);
    expect(await logOut(refreshToken)).toBe(1);
  });

  it("revokes the caller's session when no token is given", async () => {
    const [one, other] = [await fixture.logIn('ada'), await fixture.logIn('ada')];
    const actor = await fixture.actorOf(one);
    expect(await revokeToken(fixture.accounts, actor, { token: null, everywhere: false })).toEqual({
      revokedSessions: 1,
      userId: actor.userId,
    });
    expect(await Promise.all([one, other].map(isAlive))).toEqual([false, true]);
  });

  it('requires a signed-in user when no token is given', async () => {
    const anonymous = await authenticate(fixture.accounts, []);
    const service = serviceActor(['groups:read']);
    await expect(revokeToken(fixture.accounts, anonymous, { token: null, everywhere: false })).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
    await expect(revokeToken(fixture.accounts, service, { token: null, everywhere: true })).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
  });

  it('revokes every session of the user with everywhere, with or without a token', async () => {
    const bens = await fixture.logIn('ben');
    await logOut((await fixture.logIn('ada')).refreshToken, true);
    const sessions = [await fixture.logIn('ada'), await fixture.logIn('ada'), await fixture.logIn('ada')];
    expect(await logOut(sessions[1]!.refreshToken, true)).toBe(3);
    expect(await Promise.all(sessions.map(isAlive))).toEqual([false, false, false]);
    const again = [await fixture.logIn('ada'), await fixture.logIn('ada')];
    const actor = await fixture.actorOf(again[0]!);
    expect(await revokeToken(fixture.accounts, actor, { token: null, everywhere: true })).toEqual({
      revokedSessions: 2,
      userId: actor.userId,
    });
    expect(await Promise.all(again.map(isAlive))).toEqual([false, false]);
    expect(await isAlive(bens)).toBe(true);
  });

  it('revokes nothing and succeeds for an unknown token or an ended session', async () => {
    const { refreshToken } = await fixture.logIn('ada');
    await logOut(refreshToken);
    for (const token of [refreshToken, '', 'x', `cvr_${'A'.repeat(70)}`, 'a.b.c', '\u0000']) {
      expect(await logOut(token)).toBe(0);
      expect(await logOut(token, true)).toBe(0);
    }
  });

  it('revokes once under concurrent calls', async () => {
    const { refreshToken } = await fixture.logIn('ada');
    const counts = await Promise.all(Array.from({ length: 20 }, (_, index) => logOut(refreshToken, index % 2 === 0)));
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(0);
    const { rows } = await fixture.database.pool.query('select 1 from session where user_id = $1', [ada]);
    expect(rows.length).toBeLessThan(1);
  });
});

describe('revokeSession', () => {
  it('revokes the session, also the current one', async () => {
    const [one, other] = [await fixture.logIn('ada'), await fixture.logIn('ada')];
    const actor = await fixture.actorOf(one);
    expect(await revokeSession(fixture.accounts, actor, (await fixture.actorOf(other)).sessionId)).toEqual({
      revokedSessions: 1,
    });
    expect(await isAlive(other)).toBe(false);
    expect(await revokeSession(fixture.accounts, actor, actor.sessionId)).toEqual({ revokedSessions: 1 });
    expect(await isAlive(one)).toBe(false);
  });

  it('rejects sessions of other users, ended and unknown ones', async () => {
    const [adas, bens, ended] = [await fixture.logIn('ada'), await fixture.logIn('ben'), await fixture.logIn('ada')];
    await logOut(ended.refreshToken);
    const actor = await fixture.actorOf(adas);
    for (const id of [(await fixture.actorOf(bens)).sessionId, (await fixture.actorOf(ended)).sessionId, newId()]) {
      await expect(revokeSession(fixture.accounts, actor, id)).rejects.toEqual(errorWithReason('SESSION_NOT_FOUND'));
    }
    expect(await isAlive(bens)).toBe(true);
  });
});

describe('listSessions', () => {
  it('returns active sessions, the last used first, and marks the current one', async () => {
    await logOut((await fixture.logIn('ada')).refreshToken, true);
    const [one, two, lost] = [
      await fixture.logIn('ada'),
      await fixture.logIn('ada', { ...BROWSER, userAgent: 'Phone' }),
      await fixture.logIn('ada'),
    ];
    const loggedInAt = fixture.clock.now();
    fixture.clock.advance(20 * DAY_MS);
    const refreshedAt = fixture.clock.now();
    await fixture.refresh(one.refreshToken, { address: '198.51.100.7', userAgent: 'Firefox 2' });
    fixture.clock.advance(1_000);
    await fixture.refresh(two.refreshToken, { address: '192.0.2.1', userAgent: 'Phone' });
    fixture.clock.advance(11 * DAY_MS);
    const actor = await fixture.actorOf(await fixture.logIn('ada'));
    const [present, ...others] = await listSessions(fixture.accounts, actor, ada);
    expect(present).toMatchObject({
      id: actor.sessionId,
      current: true,
      createdAt: fixture.clock.now(),
      lastUsedAt: fixture.clock.now(),
    });
    expect(others).toMatchObject([
      { current: false, userAgent: 'Phone' },
      {
        current: false,
        userAgent: 'Firefox 2',
        address: '198.51.100.7',
        createdAt: loggedInAt,
        lastUsedAt: refreshedAt,
        expiresAt: fixture.clock.in(19 * DAY_MS - 1_000),
      },
    ]);
    expect(await reasonOf(fixture.refresh(lost.refreshToken))).toBe('REFRESH_INVALID');
  });
});
