import type { RequestContext } from './request-context.js';

const begun = new WeakMap<RequestContext, Map<string, Promise<unknown>>>();

/** Does work once for all the fields of a request that ask for it, however often they are aliased. @param key tells what the work is */
export function oncePerRequest<T>(context: RequestContext, key: string, work: () => Promise<T>): Promise<T> {
  const ofRequest = begun.get(context) ?? new Map<string, Promise<unknown>>();
  begun.set(context, ofRequest);
  const known = ofRequest.get(key) ?? work();
  ofRequest.set(key, known);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the key tells what the work is, and so what it gives
  return known as Promise<T>;
}
