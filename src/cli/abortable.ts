import { once } from 'node:events';
import { Interrupted } from './command-error.js';

/**
 * Waits for the work, or for the signal to stop, whichever is first.
 *
 * @throws Interrupted on the signal; what the work does then is up to whoever closes what it works with
 */
export async function abortable<T>(stop: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (stop.aborted) throw new Interrupted();
  const over = new AbortController();
  const interruption = once(stop, 'abort', { signal: over.signal }).then(() => {
    throw new Interrupted();
  });
  try {
    return await Promise.race([work(), interruption]);
  } finally {
    over.abort();
  }
}
