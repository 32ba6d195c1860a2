import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, pruneSessions, revocationKeptMs } from '../../../src/accounts/index.js';
import { openSessionsWorld, reasonOf, type SessionsWorld } from '../sessions/sessions-world.js';

const TTL_MS = 900_000;
const DAY_MS = 86_400_000;

let world: SessionsWorld;

beforeAll(async () => {
  world = await openSessionsWorld();
  await world.join('ada');
});

afterAll(() => world.remove());

function prune(): Promise<void> {
  return pruneSessions({ database: world.database, clock: world.clock, accessTokenTtlMs: TTL_MS });
}

async function count(table: 'session' | 'session_revocation'): Promise<number> {
  const { rows } = await world.database.pool.query<{ count: string }>(`select count(*) from ${table}`);
  return Number(rows[0]?.count);
}

async function revoke(): Promise<void> {
  await world.database.pool.query('insert into session_revocation (session_id, revoked_at) values ($1, $2)', [newId(), world.clock.now()]);
}

describe('pruning', () => {
  it('erases expired sessions once nothing of them can be valid, and no others', async () => {
    await world.logIn('ada');
    world.clock.advance(DAY_MS);
    const kept = await world.logIn('ada');
    world.clock.advance(29 * DAY_MS + revocationKeptMs(TTL_MS) - 1);
    await prune();
    expect(await count('session')).toBe(2);
    world.clock.advance(1);
    await prune();
    expect(await count('session')).toBe(1);
    expect(await reasonOf(world.refresh(kept.refreshToken))).toBe('none');
  });

  it('erases revocations once no token can meet them, and no others', async () => {
    await revoke();
    world.clock.advance(1_000);
    await revoke();
    world.clock.advance(revocationKeptMs(TTL_MS) - 1_000);
    await prune();
    expect(await count('session_revocation')).toBe(1);
    world.clock.advance(1_000);
    await prune();
    expect(await count('session_revocation')).toBe(0);
  });

  it('can be done by many processes at once', async () => {
    for (let index = 0; index < 50; index += 1) await revoke();
    world.clock.advance(revocationKeptMs(TTL_MS));
    await Promise.all(Array.from({ length: 8 }, prune));
    expect(await count('session_revocation')).toBe(0);
  });
});
