import { OperationError } from '../../api/operation-error.js';

/**
 * Returns whether a read failed for lack of a network. Such a read is repeated when the network returns, and the page
 * says until then that there is none, so that an alert would add nothing.
 */
export function isRetriedOnline(error: unknown): boolean {
  return !navigator.onLine && !(error instanceof OperationError);
}
