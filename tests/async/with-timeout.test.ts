import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { withTimeout } from '../../src/async/with-timeout.js';

describe('withTimeout', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('returns the result of the work', async () => {
    await expect(withTimeout(10_000, Promise.resolve('done'))).resolves.toBe('done');
  });

  it('rejects with the error of the work', async () => {
    await expect(withTimeout(10_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('rejects when the time has passed', async () => {
    await expect(withTimeout(5, new Promise(() => undefined))).rejects.toThrow('It took longer than 0.005 s.');
  });

  it('leaves no timer and creates no error when the work has ended', async () => {
    const created = jest.spyOn(globalThis, 'AbortController');
    const cleared = jest.spyOn(globalThis, 'clearTimeout');

    await withTimeout(10_000, Promise.resolve());

    expect(cleared).toHaveBeenCalledTimes(1);
    expect(created).not.toHaveBeenCalled();
  });
});
