import { describe, expect, it } from '@jest/globals';
import {
  decideRefresh,
  MAX_SESSION_AGE_MS,
  REFRESH_GRACE_MS,
  sessionExpiry,
} from '../../../src/accounts/sessions/session-lifetime.js';
import { DAY_MS } from '../../../src/async/durations.js';

const NOW = new Date('2026-03-01T12:00:00Z');

function ago(ms: number): Date {
  return new Date(NOW.getTime() - ms);
}

function session({ generation = 5, rotatedMsAgo = 0, expiresInMs = DAY_MS } = {}): Parameters<typeof decideRefresh>[0] {
  return { generation, rotatedAt: ago(rotatedMsAgo), expiresAt: ago(-expiresInMs) };
}

describe('decideRefresh', () => {
  it.each([
    ['the current one', 5, {}, 'ROTATE'],
    ['the current one after any time', 5, { rotatedMsAgo: 29 * DAY_MS }, 'ROTATE'],
    ['the one before, at once', 4, {}, 'REPEAT'],
    ['the one before, at the end of the grace', 4, { rotatedMsAgo: REFRESH_GRACE_MS }, 'REPEAT'],
    ['the one before, after the grace', 4, { rotatedMsAgo: REFRESH_GRACE_MS + 1 }, 'STOLEN'],
    ['the one before that, within the grace', 3, {}, 'STOLEN'],
    ['the first', 1, {}, 'STOLEN'],
    ['one that is yet to come', 6, {}, 'INVALID'],
    ['the current one at the end of the session', 5, { expiresInMs: 0 }, 'INVALID'],
    ['the one before, at the end of the session', 4, { expiresInMs: 0 }, 'INVALID'],
    ['an older one, at the end of the session', 1, { expiresInMs: 0 }, 'INVALID'],
    ['the current one, a moment before the end', 5, { expiresInMs: 1 }, 'ROTATE'],
  ])('decides for %s', (_, generation, state, verdict) => {
    expect(decideRefresh(session(state), generation, NOW)).toBe(verdict);
  });
});

describe('sessionExpiry', () => {
  it('moves with every use, up to 90 days after the login', () => {
    const ttl = 30 * DAY_MS;
    expect(sessionExpiry(NOW, NOW, ttl)).toEqual(ago(-ttl));
    expect(sessionExpiry(ago(10 * DAY_MS), NOW, ttl)).toEqual(ago(-ttl));
    expect(sessionExpiry(ago(80 * DAY_MS), NOW, ttl)).toEqual(ago(-10 * DAY_MS));
    expect(sessionExpiry(ago(MAX_SESSION_AGE_MS), NOW, ttl)).toEqual(NOW);
  });

  it('is at most 90 days after the login for any setting', () => {
    expect(sessionExpiry(NOW, NOW, 1_000 * DAY_MS)).toEqual(ago(-MAX_SESSION_AGE_MS));
    expect(MAX_SESSION_AGE_MS).toBe(90 * DAY_MS);
  });
});
