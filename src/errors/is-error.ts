import { isNativeError } from 'node:util/types';

/** Not `instanceof`: the errors of Node itself may be made in another realm, as they are under Jest. */
export function isError(value: unknown): value is Error {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor, Error.isError, is not in Node 22
  return isNativeError(value);
}
