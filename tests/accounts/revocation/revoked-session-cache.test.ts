import { describe, expect, it } from '@jest/globals';
import { RevokedSessionCache } from '../../../src/accounts/revocation/revoked-session-cache.js';

describe('RevokedSessionCache', () => {
  it('reports sessions until they are evicted', () => {
    const revoked = new RevokedSessionCache();
    revoked.add(['a', 'b'], 100);
    revoked.add(['c'], 200);
    revoked.evictUntil(99);
    expect(['a', 'b', 'c', 'd'].map((id) => revoked.has(id))).toEqual([true, true, true, false]);
    revoked.evictUntil(100);
    expect(['a', 'b', 'c'].map((id) => revoked.has(id))).toEqual([false, false, true]);
    revoked.evictUntil(200);
    expect(revoked.has('c')).toBe(false);
  });

  it('keeps a session until the latest of the reported times', () => {
    const revoked = new RevokedSessionCache();
    revoked.add(['a'], 100);
    revoked.add(['b'], 150);
    revoked.add(['a'], 200);
    revoked.add(['a'], 50);
    revoked.evictUntil(199);
    expect(['a', 'b'].map((id) => revoked.has(id))).toEqual([true, false]);
    revoked.evictUntil(200);
    expect(revoked.has('a')).toBe(false);
  });

  it('keeps sessions too long rather than too short when the clock was set back', () => {
    const revoked = new RevokedSessionCache();
    revoked.add(['before'], 1_000);
    revoked.add(['after'], 100);
    revoked.evictUntil(100);
    expect(revoked.has('after')).toBe(true);
    revoked.evictUntil(1_000);
    expect(revoked.has('after')).toBe(false);
  });
});
