import { OperationError } from '../api/operation-error.js';
import { isRecord } from '../is-record.js';

const UNAUTHORIZED = 401;
const JSON_TYPE = /\bjson\b/;
/** Also matches names that contain the word, for which a request is not repeated either. */
const MUTATION = /mutation/;

/** Whether the service rejected the token of the request. A stream is not read. */
export async function rejectsToken(response: Response): Promise<boolean> {
  if (response.status === UNAUTHORIZED) return true;
  if (!JSON_TYPE.test(response.headers.get('content-type') ?? '')) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return isRecord(body) && Array.isArray(body.errors) && body.errors.some(isTokenRejected);
}

/** Whether a request that was rejected may be sent again: fields of a mutation that take no token have run. */
export function isRepeatable(init: RequestInit | undefined): boolean {
  return typeof init?.body === 'string' && !MUTATION.test(init.body);
}

function isTokenRejected(error: unknown): boolean {
  return isRecord(error) && new OperationError(error).isTokenRejected;
}
