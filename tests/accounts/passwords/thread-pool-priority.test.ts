import { constants, getPriority, platform } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { createArgon2Hasher } from '../../../src/accounts/index.js';
import { poolThreads } from '../../../src/accounts/passwords/thread-pool-priority.js';

// No other system has priorities of single threads, so there nothing is done and nothing can be seen.
const onLinux = platform() === 'linux' ? it : it.skip;

describe('threads of the password hasher', () => {
  onLinux('give way to the event loop', async () => {
    await createArgon2Hasher();
    const threads = poolThreads();
    expect(threads.length).toBeGreaterThanOrEqual(4);
    // Larger numbers give way to smaller ones; the process may have been told to give way itself.
    const expected = Math.min(getPriority(process.pid) + 10, constants.priority.PRIORITY_LOW);
    expect(threads.map((thread) => getPriority(thread))).toEqual(threads.map(() => expected));
    expect(expected).toBeGreaterThan(getPriority(process.pid));
  });
});
