import type { RequestContext } from './request-context.js';

const results = new WeakMap<RequestContext, Map<string, Promise<unknown>>>();

/**
 * Runs `work` once per request and key, however many aliased fields ask for it, and shares the promise.
 *
 * @param key identifies the work, and so the type of its result
 */
export function oncePerRequest<T>(context: RequestContext, key: string, work: () => Promise<T>): Promise<T> {
  const ofRequest = results.get(context) ?? new Map<string, Promise<unknown>>();
  results.set(context, ofRequest);
  const result = ofRequest.get(key) ?? work();
  ofRequest.set(key, result);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the key identifies the type of the result
  return result as Promise<T>;
}
