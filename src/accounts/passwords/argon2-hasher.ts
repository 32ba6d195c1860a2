import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify, type ParsedHashOptions } from '@node-rs/argon2';
import { KeyedSemaphore, overloaded } from '../../async/keyed-semaphore.js';
import type { PasswordHasher } from '../ports/password-hasher.js';
import { lowerThreadPoolPriority } from './thread-pool-priority.js';

export interface Argon2Options {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
  /** Hashes given to the thread pool of libuv concurrently. */
  readonly concurrency: number;
  /** Hashes that may be queued; further ones are rejected immediately. */
  readonly maxQueueLength: number;
}

/**
 * OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, 2 passes, 1 lane. One hash per processor core: with two, a
 * hash takes a quarter more processor time, because they evict each other's memory from the caches.
 */
export const ARGON2_DEFAULTS: Argon2Options = {
  memoryKiB: 19_456,
  passes: 2,
  parallelism: 1,
  concurrency: availableParallelism(),
  maxQueueLength: 100,
};

/**
 * Returns how many hashes one process gives to its thread pool: its share of one per processor core, at least 1. When
 * that is all threads, another one waits in the queue of the pool. So a thread begins the next hash by itself, and not
 * when the event loop gets a core.
 *
 * @param processes number of processes of the service
 * @param threads size of the thread pool
 */
export function concurrentHashes(processes: number, threads: number): number {
  const share = Math.max(1, Math.ceil(ARGON2_DEFAULTS.concurrency / processes));
  return share < threads ? share : threads + 1;
}

/**
 * Maximum cost of a stored hash, as much as the settings allow. Verifying a more expensive one could exhaust the memory
 * or block a thread.
 */
const MAX_STORED_COST = { memoryKiB: 4_194_304, passes: 100, parallelism: 255 };

/** A full queue drains in about this time. */
const RETRY_AFTER_SECONDS = 2;
const DUMMY_PASSWORD_BYTES = 24;

/**
 * Creates a hasher for argon2id (RFC 9106). Hashes off the event loop, with bounded concurrency.
 *
 * Reason for a queue of its own: in libuv's queue, file and name look-ups, which share its threads, would wait behind
 * all queued hashes. Here they wait for two hashes at most.
 */
export async function createArgon2Hasher(overrides: Partial<Argon2Options> = {}): Promise<PasswordHasher> {
  const settings = { ...ARGON2_DEFAULTS, ...overrides };
  const bounded = boundedQueue(settings);
  // The library's default algorithm is argon2id.
  const parameters = { memoryCost: settings.memoryKiB, timeCost: settings.passes, parallelism: settings.parallelism };
  const dummy = await hash(randomBytes(DUMMY_PASSWORD_BYTES), parameters);
  lowerThreadPoolPriority();
  const inForce = parseOptions(dummy);
  return {
    hash: (password) => bounded(() => hash(password, parameters)),
    verify: async (stored, password) => {
      const isUsable = stored !== null && parseStoredHash(stored) !== null;
      return (await bounded(() => verify(isUsable ? stored : dummy, password))) && isUsable;
    },
    needsRehash: (stored) => {
      const parsed = parseStoredHash(stored);
      return parsed === null || isWeaker(parsed, inForce);
    },
  };
}

/** @returns null for text that is no argon2 hash, or exceeds the maximum cost */
function parseStoredHash(stored: string): ParsedHashOptions | null {
  try {
    const parsed = parseOptions(stored);
    const { memoryCost, timeCost, parallelism } = parsed;
    const isWithinCost =
      memoryCost <= MAX_STORED_COST.memoryKiB &&
      timeCost <= MAX_STORED_COST.passes &&
      parallelism <= MAX_STORED_COST.parallelism;
    return isWithinCost ? parsed : null;
  } catch {
    return null;
  }
}

function isWeaker(stored: ParsedHashOptions, inForce: ParsedHashOptions): boolean {
  return (
    stored.algorithm !== inForce.algorithm ||
    stored.version < inForce.version ||
    stored.memoryCost < inForce.memoryCost ||
    stored.timeCost < inForce.timeCost ||
    stored.parallelism < inForce.parallelism
  );
}

function boundedQueue({ concurrency, maxQueueLength }: Argon2Options): <T>(work: () => Promise<T>) => Promise<T> {
  const hashes = new KeyedSemaphore({
    concurrency,
    maxQueueLength,
    longestWaitMs: null,
    overloadError: overloaded(RETRY_AFTER_SECONDS),
  });
  // All hashes share the processor, so they share one key.
  return (work) => hashes.run('argon2', work);
}
