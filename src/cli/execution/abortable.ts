import { once } from 'node:events';
import { InterruptedError } from './command-error.js';

/**
 * Races `work` against the abort signal. Does not cancel `work`: the caller closes the resources that it uses.
 *
 * @throws InterruptedError when `stop` is aborted first
 */
export async function abortable<T>(stop: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (stop.aborted) throw new InterruptedError();
  const settled = new AbortController();
  const interruption = once(stop, 'abort', { signal: settled.signal }).then(() => {
    throw new InterruptedError();
  });
  try {
    return await Promise.race([work(), interruption]);
  } finally {
    settled.abort();
  }
}
