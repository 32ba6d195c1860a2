/** Prints the number of threads that the pool has after `sizeThreadPool`; the expected one where none can be seen. */
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { poolThreads } from '../../../src/accounts/passwords/thread-pool-priority.js';
import { sizeThreadPool, threadPoolSize } from '../../../src/config/thread-pool.js';

sizeThreadPool();
await readFile(new URL(import.meta.url));
console.log(platform() === 'linux' ? poolThreads().length : threadPoolSize());
