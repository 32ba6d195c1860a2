import { constants, getPriority, platform } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { createArgon2Hasher } from '../../src/accounts/index.js';
import { poolThreads } from '../../src/accounts/thread-priority.js';

const onLinux = platform() === 'linux' ? it : it.skip;

describe('the threads on which passwords are hashed', () => {
  onLinux('give way to the event loop', async () => {
    await createArgon2Hasher();
    const threads = poolThreads();
    expect(threads.length).toBeGreaterThanOrEqual(4);
    expect(threads.map((thread) => getPriority(thread))).toEqual(threads.map(() => constants.priority.PRIORITY_BELOW_NORMAL));
    expect(getPriority(process.pid)).toBe(constants.priority.PRIORITY_NORMAL);
  });
});
