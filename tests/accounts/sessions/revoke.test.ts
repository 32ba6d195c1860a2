import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authenticate, listSessions, newId, revokeSession, revokeToken } from '../../../src/accounts/index.js';
import type { TokenPair } from '../../../src/accounts/sessions/token-pair.js';
import { DAY_MS } from '../../../src/async/durations.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { serviceActor } from '../../support/groups/groups-fixture.js';
import { BROWSER, openSessionsWorld, reasonOf, type SessionsWorld } from './sessions-fixture.js';

let world: SessionsWorld;
let ada: string;

beforeAll(async () => {
  world = await openSessionsWorld();
  ada = await world.join('ada');
  await world.join('ben');
});

afterAll(() => world.remove());

async function isAlive({ accessToken, refreshToken }: TokenPair): Promise<boolean> {
  const actor = await authenticate(world.accounts, [`Bearer ${accessToken}`]);
  const reason = await reasonOf(world.refresh(refreshToken));
  const isUser = actor.kind === 'user';
  expect(isUser).toBe(reason === 'none');
  if (actor.kind === 'anonymous')
    expect([actor.authenticationError.reason, reason]).toEqual(['TOKEN_REVOKED', 'REFRESH_INVALID']);
  return isUser;
}

/** Logs out with a token and nothing else. */
async function logOut(token: string, everywhere = false): Promise<number> {
  const nobody = await authenticate(world.accounts, []);
  return (await revokeToken(world.accounts, nobody, { token, everywhere })).revokedSessions;
}

describe('logging out', () => {
  it('ends the session of the refresh token, and no other', async () => {
    const [one, other, bens] = [await world.logIn('ada'), await world.logIn('ada'), await world.logIn('ben')];
    expect(await logOut(one.refreshToken)).toBe(1);
    expect(await Promise.all([one, other, bens].map(isAlive))).toEqual([false, true, true]);
  });

  it('works with any generation of it', async () => {
    const first = await world.logIn('ada');
    const third = await world.refresh((await world.refresh(first.refreshToken)).refreshToken);
    expect(await logOut(first.refreshToken)).toBe(1);
    expect(await isAlive(third)).toBe(false);
  });

  it('works with an access token of it, and with one of a session that was refreshed since', async () => {
    const first = await world.logIn('ada');
    const second = await world.refresh(first.refreshToken);
    expect(await logOut(first.accessToken)).toBe(1);
    expect(await isAlive(second)).toBe(false);
  });

  it('works after the session has expired', async () => {
    const { refreshToken } = await world.logIn('ada');
    world.clock.advance(31 * DAY_MS);
    expect(await logOut(refreshToken)).toBe(1);
  });

  it('without a token ends the session that asks', async () => {
    const [one, other] = [await world.logIn('ada'), await world.logIn('ada')];
    const actor = await world.actorOf(one);
    expect(await revokeToken(world.accounts, actor, { token: null, everywhere: false })).toEqual({
      revokedSessions: 1,
      userId: actor.userId,
    });
    expect(await Promise.all([one, other].map(isAlive))).toEqual([false, true]);
  });

  it('without a token takes somebody who is signed in', async () => {
    const nobody = await authenticate(world.accounts, []);
    const service = serviceActor(['groups:read']);
    await expect(revokeToken(world.accounts, nobody, { token: null, everywhere: false })).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
    await expect(revokeToken(world.accounts, service, { token: null, everywhere: true })).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
  });

  it('everywhere ends every session of the person, by a token or without one', async () => {
    const bens = await world.logIn('ben');
    await logOut((await world.logIn('ada')).refreshToken, true);
    const sessions = [await world.logIn('ada'), await world.logIn('ada'), await world.logIn('ada')];
    expect(await logOut(sessions[1]!.refreshToken, true)).toBe(3);
    expect(await Promise.all(sessions.map(isAlive))).toEqual([false, false, false]);
    const again = [await world.logIn('ada'), await world.logIn('ada')];
    const actor = await world.actorOf(again[0]!);
    expect(await revokeToken(world.accounts, actor, { token: null, everywhere: true })).toEqual({
      revokedSessions: 2,
      userId: actor.userId,
    });
    expect(await Promise.all(again.map(isAlive))).toEqual([false, false]);
    expect(await isAlive(bens)).toBe(true);
  });

  it('ends nothing, and is no error, for a token that is not ours or whose session has ended', async () => {
    const { refreshToken } = await world.logIn('ada');
    await logOut(refreshToken);
    for (const token of [refreshToken, '', 'x', `cvr_${'A'.repeat(70)}`, 'a.b.c', '\u0000']) {
      expect(await logOut(token)).toBe(0);
      expect(await logOut(token, true)).toBe(0);
    }
  });

  it('happens once, however often it is asked for at the same moment', async () => {
    const { refreshToken } = await world.logIn('ada');
    const counts = await Promise.all(Array.from({ length: 20 }, (_, index) => logOut(refreshToken, index % 2 === 0)));
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(0);
    const { rows } = await world.database.pool.query('select 1 from session where user_id = $1', [ada]);
    expect(rows.length).toBeLessThan(1);
  });
});

describe("ending one of one's sessions", () => {
  it('ends it, the present one included', async () => {
    const [one, other] = [await world.logIn('ada'), await world.logIn('ada')];
    const actor = await world.actorOf(one);
    expect(await revokeSession(world.accounts, actor, (await world.actorOf(other)).sessionId)).toEqual({
      revokedSessions: 1,
    });
    expect(await isAlive(other)).toBe(false);
    expect(await revokeSession(world.accounts, actor, actor.sessionId)).toEqual({ revokedSessions: 1 });
    expect(await isAlive(one)).toBe(false);
  });

  it("finds nobody else's, none that has ended and none that never was", async () => {
    const [adas, bens, ended] = [await world.logIn('ada'), await world.logIn('ben'), await world.logIn('ada')];
    await logOut(ended.refreshToken);
    const actor = await world.actorOf(adas);
    for (const id of [(await world.actorOf(bens)).sessionId, (await world.actorOf(ended)).sessionId, newId()]) {
      await expect(revokeSession(world.accounts, actor, id)).rejects.toEqual(errorWithReason('SESSION_NOT_FOUND'));
    }
    expect(await isAlive(bens)).toBe(true);
  });
});

describe("the list of one's sessions", () => {
  it('has those that stand, the one used last first, and says which one asks', async () => {
    await logOut((await world.logIn('ada')).refreshToken, true);
    const [one, two, lost] = [
      await world.logIn('ada'),
      await world.logIn('ada', { ...BROWSER, userAgent: 'Phone' }),
      await world.logIn('ada'),
    ];
    const loggedInAt = world.clock.now();
    world.clock.advance(20 * DAY_MS);
    const refreshedAt = world.clock.now();
    await world.refresh(one.refreshToken, { address: '198.51.100.7', userAgent: 'Firefox 2' });
    world.clock.advance(1_000);
    await world.refresh(two.refreshToken, { address: '192.0.2.1', userAgent: 'Phone' });
    world.clock.advance(11 * DAY_MS);
    const actor = await world.actorOf(await world.logIn('ada'));
    const [present, ...others] = await listSessions(world.accounts, actor, ada);
    expect(present).toMatchObject({
      id: actor.sessionId,
      current: true,
      createdAt: world.clock.now(),
      lastUsedAt: world.clock.now(),
    });
    expect(others).toMatchObject([
      { current: false, userAgent: 'Phone' },
      {
        current: false,
        userAgent: 'Firefox 2',
        address: '198.51.100.7',
        createdAt: loggedInAt,
        lastUsedAt: refreshedAt,
        expiresAt: world.clock.in(19 * DAY_MS - 1_000),
      },
    ]);
    expect(await reasonOf(world.refresh(lost.refreshToken))).toBe('REFRESH_INVALID');
  });
});
