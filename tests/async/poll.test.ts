import { describe, expect, it } from '@jest/globals';
import { poll, pollUntil } from '../../src/async/poll.js';

function counter(): () => number {
  let count = 0;
  return () => (count += 1);
}

describe('poll', () => {
  it('returns the first value that is final', async () => {
    expect(await poll(counter(), (count) => count === 3, 10_000, 1)).toBe(3);
  });

  it('returns the value that was read last when none is final in time', async () => {
    expect(
      await poll(
        () => 'early',
        () => false,
        5,
        1,
      ),
    ).toBe('early');
  });

  it('reads once when the timeout is 0', async () => {
    expect(await poll(counter(), () => false, 0, 1)).toBe(1);
  });
});

describe('pollUntil', () => {
  it('returns true when the condition holds in time', async () => {
    const next = counter();
    expect(await pollUntil(() => Promise.resolve(next() === 2), 10_000, 1)).toBe(true);
  });

  it('returns false when the condition does not hold in time', async () => {
    expect(await pollUntil(() => false, 5, 1)).toBe(false);
  });
});
