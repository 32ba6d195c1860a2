import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { retryDelayMs } from '../../../src/database/outbox/retry-policy.js';

describe('retryDelayMs', () => {
  it('returns 10 s, doubled with each attempt, up to an hour', () => {
    expect([1, 2, 3, 9, 10, 11].map((attempts) => retryDelayMs(attempts, 0))).toEqual([
      10_000, 20_000, 40_000, 2_560_000, 3_600_000, 3_600_000,
    ]);
  });

  it('shortens the delay at random by at most a fifth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, chance) => {
        const nominalMs = retryDelayMs(attempts, 0);
        const actualMs = retryDelayMs(attempts, chance);
        expect(actualMs).toBeLessThanOrEqual(nominalMs);
        expect(actualMs).toBeGreaterThanOrEqual(nominalMs * 0.8);
      }),
    );
  });
});
