import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listSessions } from '../../../src/accounts/index.js';
import type { TokenPair } from '../../../src/accounts/sessions/token-pair.js';
import { DAY_MS } from '../../../src/async/durations.js';
import { createSessionsFixture, reasonOf, type SessionsFixture } from './sessions-fixture.js';

const MOST = 1_000;
const KEPT = 900;

let fixture: SessionsFixture;
let ada: string;

beforeAll(async () => {
  fixture = await createSessionsFixture();
  ada = await fixture.join('ada');
  await fixture.join('grace');
});
beforeEach(() => fixture.database.pool.query('truncate session, session_revocation, audit_event'));
afterAll(() => fixture.remove());

async function query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await fixture.database.pool.query<Row>(text, [...values])).rows;
}

/** Sessions, of which the first was used longest ago; the last of them a minute ago. */
async function addSessions(count: number, userId = ada): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `insert into session (id, user_id, created_at, rotated_at, expires_at)
     select gen_random_uuid(), $2, $3::timestamptz - interval '1 day',
       $3::timestamptz - ($1::int + 1 - n) * interval '1 minute', $3::timestamptz + interval '1 day'
     from generate_series(1, $1::int) as n returning id`,
    [count, userId, fixture.clock.now()],
  );
  return rows.map(({ id }) => id);
}

async function live(userId = ada): Promise<string[]> {
  return (
    await query<{ id: string }>('select id from session where user_id = $1 and expires_at > $2', [
      userId,
      fixture.clock.now(),
    ])
  ).map(({ id }) => id);
}

async function idOf(grant: TokenPair): Promise<string> {
  return (await fixture.actorOf(grant)).sessionId;
}

describe('enforceSessionLimit', () => {
  it('keeps 1,000 sessions: a further login revokes the least recently used ones and their access tokens', async () => {
    const before = await addSessions(MOST);
    const grant = await fixture.logIn('ada');
    const ended = before.slice(0, MOST - KEPT + 1);
    expect((await live()).toSorted()).toEqual([...before.slice(ended.length), await idOf(grant)].toSorted());
    for (const id of ended) expect(await fixture.accounts.revocations.isRevoked(id)).toBe(true);
    expect(await query('select session_id as id from session_revocation order by id')).toEqual(
      ended.toSorted().map((id) => ({ id })),
    );
    expect(await query('select action, detail from audit_event order by id')).toEqual([
      { action: 'login', detail: { sessionId: await idOf(grant) } },
      { action: 'sessions.revoked', detail: { sessionIds: expect.arrayContaining(ended) } },
    ]);
    expect(await listSessions(fixture.accounts, await fixture.actorOf(grant), ada)).toHaveLength(KEPT);
  });

  it('revokes none below the limit', async () => {
    await addSessions(MOST - 1);
    await fixture.logIn('ada');
    expect(await live()).toHaveLength(MOST);
    expect(await query('select from session_revocation')).toEqual([]);
    expect(await query(`select from audit_event where action = 'sessions.revoked'`)).toEqual([]);
  });

  it('keeps recently used sessions, whatever their age', async () => {
    const first = await fixture.logIn('ada');
    fixture.clock.advance(DAY_MS);
    const [leastUsed = ''] = await addSessions(MOST - 1);
    const refreshed = await fixture.refresh(first.refreshToken);
    await fixture.logIn('ada');
    expect(await reasonOf(fixture.refresh(refreshed.refreshToken))).toBe('none');
    expect(await live()).not.toContain(leastUsed);
  });

  it('keeps at most 1,000 after concurrent logins and one more', async () => {
    const before = await addSessions(MOST - 5);
    const grants = await Promise.all(Array.from({ length: 20 }, () => fixture.logIn('ada')));
    await fixture.logIn('ada');
    const standing = await live();
    expect(standing.length).toBeLessThanOrEqual(MOST);
    expect(standing).toEqual(expect.arrayContaining(await Promise.all(grants.map(idOf))));
    const ended = before.filter((id) => !standing.includes(id));
    expect(ended.length).toBeGreaterThan(0);
    expect(ended.toSorted()).toEqual(before.slice(0, ended.length).toSorted());
    for (const id of ended) expect(await fixture.accounts.revocations.isRevoked(id)).toBe(true);
  });

  it('does not affect other accounts', async () => {
    await addSessions(MOST, (await fixture.logIn('grace')).user.id);
    await addSessions(MOST - 1);
    await fixture.logIn('ada');
    expect(await live()).toHaveLength(MOST);
    expect(await query('select from session_revocation')).toEqual([]);
  });

  it('revokes the excess of an account with more sessions', async () => {
    await addSessions(MOST + 200);
    await fixture.logIn('ada');
    expect(await live()).toHaveLength(KEPT);
    expect(await query('select from session_revocation')).toHaveLength(MOST + 201 - KEPT);
  });
});
