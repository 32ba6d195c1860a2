import { availableParallelism } from 'node:os';

/** Size of the thread pool of libuv unless UV_THREADPOOL_SIZE is set. */
const DEFAULT_SIZE = 4;
/** With one thread, all work would wait for a name server that does not answer. Look-ups take half of the threads. */
const MIN_SIZE = 2;

/** What is read and set of the environment of this process. */
interface ThreadPoolEnvironment {
  UV_THREADPOOL_SIZE?: string | undefined;
}

/**
 * Gives the thread pool of libuv one thread per processor core, at least 2, unless the operator chose a size. Then work
 * for the processor, such as hashing, can wait in the queue of the pool, where the next piece starts without the event
 * loop.
 *
 * Call it before anything uses the pool, which then reads the size. Child processes inherit it.
 */
export function sizeThreadPool(environment: ThreadPoolEnvironment = process.env): void {
  environment.UV_THREADPOOL_SIZE ??= String(Math.max(MIN_SIZE, availableParallelism()));
}

/** The number of threads of the pool. */
export function threadPoolSize({ UV_THREADPOOL_SIZE }: ThreadPoolEnvironment = process.env): number {
  const size = Number(UV_THREADPOOL_SIZE);
  return Number.isInteger(size) && size > 0 ? size : DEFAULT_SIZE;
}
