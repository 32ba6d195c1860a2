import { describe, expect, it } from '@jest/globals';
import {
  canStillVerify,
  chooseSigningKey,
  KEY_ACTIVATION_DELAY_MS,
  KEY_RELOAD_INTERVAL_MS,
} from '../../../src/accounts/tokens/key-rotation-policy.js';
import { DAY_MS } from '../../../src/async/durations.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const TTL_MS = 900_000;

function after(ms: number): Date {
  return new Date(NOW.getTime() + ms);
}

const first = { createdAt: NOW, retiredAt: null };

describe('chooseSigningKey', () => {
  it('chooses the only key immediately', () => {
    expect(chooseSigningKey([first], NOW)).toBe(first);
  });

  it('keeps the old key until every process has had time to read the new one', () => {
    const old = { ...first, retiredAt: after(1_000 + KEY_ACTIVATION_DELAY_MS) };
    const next = { createdAt: after(1_000), retiredAt: null };
    expect(chooseSigningKey([old, next], after(1_000))).toBe(old);
    expect(chooseSigningKey([old, next], after(999 + KEY_ACTIVATION_DELAY_MS))).toBe(old);
    expect(chooseSigningKey([old, next], after(1_000 + KEY_ACTIVATION_DELAY_MS))).toBe(next);
    expect(KEY_ACTIVATION_DELAY_MS).toBeGreaterThan(2 * KEY_RELOAD_INTERVAL_MS);
  });

  it('chooses the newest of several that all processes have read', () => {
    const next = { createdAt: after(1_000), retiredAt: null };
    expect(chooseSigningKey([first, next], after(1_000 + KEY_ACTIVATION_DELAY_MS))).toBe(next);
  });

  it('never chooses a retired key', () => {
    const retired = { createdAt: after(-900_000), retiredAt: after(-1) };
    expect(chooseSigningKey([retired, first], NOW)).toBe(first);
    expect(chooseSigningKey([retired], NOW)).toBeUndefined();
  });

  it('chooses a key when the clock was set back a day', () => {
    expect(chooseSigningKey([first], after(-DAY_MS))).toBe(first);
  });
});

describe('retired key', () => {
  it('verifies until its last token has expired', () => {
    const retired = { createdAt: after(-900_000), retiredAt: NOW };
    expect(canStillVerify(retired, after(TTL_MS + 30_000), TTL_MS)).toBe(true);
    expect(canStillVerify(retired, after(TTL_MS + 60_000), TTL_MS)).toBe(false);
    expect(canStillVerify(first, after(1e12), TTL_MS)).toBe(true);
  });
});
