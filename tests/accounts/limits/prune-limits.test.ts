import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/accounts/index.js';
import { pruneLimits } from '../../../src/accounts/limits/prune-limits.js';
import { type LimitsWorld, openLimitsWorld } from './limits-world.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const DAY_MS = 86_400_000;

let world: LimitsWorld;

beforeAll(async () => { world = await openLimitsWorld(); });
afterAll(() => world.remove());

function daysAgo(days: number): Date {
  return new Date(NOW.getTime() - days * DAY_MS);
}

async function count(table: string): Promise<number> {
  const { rows } = await world.database.pool.query<{ count: number }>(`select count(*)::int as count from ${table}`);
  return rows[0]?.count ?? -1;
}

describe('pruning', () => {
  it('erases what has ended, and nothing else', async () => {
    const { pool } = world.database;
    const userId = newId();
    await pool.query(`insert into account (id, username, username_key, password_hash, created_at) values ($1, 'ada', 'ada', 'none', $2)`, [userId, NOW]);
    await pool.query(`insert into known_address values ($1, 'old', $2), ($1, 'recent', $3)`, [userId, daysAgo(91), daysAgo(89)]);
    await pool.query(`insert into password_reset values ($1, 'a@b.c', null, $2), ($3, 'a@b.c', null, $4)`, [newId(), daysAgo(0.01), newId(), daysAgo(-0.01)]);
    await world.counters().add({ policy: { name: 'test', quota: 1, windowSeconds: 60 }, subject: 'ended' });
    await world.pass(61);
    await world.counters().add({ policy: { name: 'test', quota: 1, windowSeconds: 60 }, subject: 'present' });
    await pruneLimits({ database: world.database, clock: { now: () => NOW } });
    expect(await Promise.all(['known_address', 'password_reset', 'rate_limit'].map(count))).toEqual([1, 1, 1]);
    expect(await world.counters().read([{ policy: { name: 'test', quota: 1, windowSeconds: 60 }, subject: 'present' }])).toHaveLength(1);
  });
});
