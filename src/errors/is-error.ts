import { isNativeError } from 'node:util/types';

/** Not `instanceof`, since errors of Node may come from another realm, as under Jest. */
export function isError(value: unknown): value is Error {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor, Error.isError, is not in Node 22
  return isNativeError(value);
}
