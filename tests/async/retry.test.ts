import { describe, expect, it } from '@jest/globals';
import { backoffMs, retry, retryWhileNull } from '../../src/async/retry.js';

function failing(times: number): { work: () => Promise<string>; calls: () => number } {
  let calls = 0;
  const work = async (): Promise<string> => {
    calls += 1;
    if (calls <= times) throw new Error(`failure ${calls}`);
    return Promise.resolve('done');
  };
  return { work, calls: () => calls };
}

const policy = { maxAttempts: 3, delayMs: () => 0, isRetryable: () => true };

describe('retry', () => {
  it('returns the result of the first attempt that succeeds', async () => {
    const { work, calls } = failing(2);
    expect(await retry(policy, work)).toBe('done');
    expect(calls()).toBe(3);
  });

  it('throws the error of the last attempt after maxAttempts attempts', async () => {
    const { work, calls } = failing(5);
    await expect(retry(policy, work)).rejects.toThrow('failure 3');
    expect(calls()).toBe(3);
  });

  it('throws immediately when the error is not retryable', async () => {
    const { work, calls } = failing(1);
    await expect(retry({ ...policy, isRetryable: () => false }, work)).rejects.toThrow('failure 1');
    expect(calls()).toBe(1);
  });
});

describe('retry with a signal', () => {
  it('throws the last error without a further attempt when the signal is aborted during the delay', async () => {
    const { work, calls } = failing(5);
    const stopping = new AbortController();
    const delayMs = (): number => {
      stopping.abort();
      return 60_000;
    };
    const result = retry({ ...policy, maxAttempts: Infinity, delayMs, signal: stopping.signal }, work);
    await expect(result).rejects.toThrow('failure 1');
    expect(calls()).toBe(1);
  });

  it('makes any number of attempts when maxAttempts is Infinity', async () => {
    const { work, calls } = failing(20);
    const { signal } = new AbortController();
    expect(await retry({ ...policy, maxAttempts: Infinity, signal }, work)).toBe('done');
    expect(calls()).toBe(21);
  });
});

describe('retryWhileNull', () => {
  function returning(...results: (string | null)[]) {
    let calls = 0;
    const work = () => Promise.resolve(results[calls++] ?? null);
    return { work, calls: () => calls };
  }

  it('returns the first result that is not null', async () => {
    const { work, calls } = returning(null, 'done');
    expect(await retryWhileNull(3, work)).toBe('done');
    expect(calls()).toBe(2);
  });

  it('returns null after maxAttempts attempts', async () => {
    const { work, calls } = returning();
    expect(await retryWhileNull(3, work)).toBeNull();
    expect(calls()).toBe(3);
  });
});

describe('backoffMs', () => {
  it('doubles with each failure up to the maximum', () => {
    expect([1, 2, 3, 4].map((failures) => backoffMs(10, failures, 50))).toEqual([10, 20, 40, 50]);
  });
});
