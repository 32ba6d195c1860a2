import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify, type ParsedHashOptions } from '@node-rs/argon2';
import { KeyedSemaphore } from '../../async/keyed-semaphore.js';
import type { PasswordHasher } from '../ports/password-hasher.js';
import { lowerThreadPoolPriority } from './thread-pool-priority.js';

export interface Argon2Options {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
  /** Hashes computed at the same moment, each on a thread of libuv's pool (4 unless UV_THREADPOOL_SIZE says more). */
  readonly concurrency: number;
  /** Hashes that may wait for a thread; one more is refused at once. */
  readonly maxQueueLength: number;
}

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, 2 passes, 1 lane. */
export const ARGON2_DEFAULTS: Argon2Options = {
  memoryKiB: 19_456,
  passes: 2,
  parallelism: 1,
  concurrency: 2 * availableParallelism(),
  maxQueueLength: 100,
};

/**
 * The most that a stored hash may cost, as much as the settings allow: a hash that asks for more would end the process
 * (memory) or hold one of its threads (passes).
 */
const MAX_STORED_COST = { memoryKiB: 4_194_304, passes: 100, parallelism: 255 };

/** A full queue of hashes takes about this long to drain. */
const RETRY_AFTER_SECONDS = 2;
const DUMMY_PASSWORD_BYTES = 24;

/**
 * Hashes passwords with argon2id (RFC 9106), off the event loop and a bounded number at once.
 *
 * Waiting work is kept here and not in libuv's queue, so that file and name look-ups, which share its threads,
 * wait for one hash at most and never behind a flood of logins. Hashing takes what processor time others leave.
 */
export async function createArgon2Hasher(overrides: Partial<Argon2Options> = {}): Promise<PasswordHasher> {
  const settings = { ...ARGON2_DEFAULTS, ...overrides };
  const bounded = boundedQueue(settings);
  // The library's own default is argon2id; `inForce` shows it to be so.
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

/** @returns null for text that is no argon2 hash, or costs more than any that this service makes */
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
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
  // All hashes share the processor, so they share one key.
  return (work) => hashes.run('argon2', work);
}
