import { statement, type Queryable } from '../../database/index.js';
import { InvalidInputError, isRecord, type ErrorSubject } from '../../errors/index.js';
import { oldestRecordAt } from './idempotency-retention.js';
import { macOfKey, macOfRequest, type IdempotencyDeps, type IdempotentOperation } from './idempotent-operation.js';

/** Printable ASCII, as a header value or a quoted string (IETF draft of the Idempotency-Key header field). */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Result of an earlier request under the same key. */
export interface EarlierResult {
  readonly storedResult: unknown;
  /** Whether the inputs were equal. */
  readonly isSameRequest: boolean;
}

/**
 * Finds the result of an earlier request under the same key.
 *
 * @returns null for the first request, and for one without a key
 * @throws InvalidInputError `IDEMPOTENCY_KEY_REUSED` when the earlier request had another input, `INVALID_INPUT` for an
 *   invalid key
 */
export async function findIdempotentResult(
  deps: IdempotencyDeps,
  request: IdempotentOperation | null,
): Promise<unknown> {
  return request === null ? null : readSameResult(deps.database, deps, request);
}

/**
 * As `findIdempotentResult`, for a use case that compares more than the input and decides itself how to reject another
 * request.
 *
 * @throws InvalidInputError `INVALID_INPUT` for an invalid key
 */
export async function findEarlierResult(
  deps: IdempotencyDeps,
  request: IdempotentOperation,
): Promise<EarlierResult | null> {
  return readEarlier(deps.database, deps, request);
}

const EARLIER = statement<{ readonly requestMac: Buffer; readonly storedResult: unknown }>(
  'earlier_result',
  `
  select request_mac as "requestMac", made as "storedResult" from idempotent_request where key_mac = $1 and at > $2`,
);

/**
 * As `findIdempotentResult`, in a transaction.
 *
 * @returns null for the first request
 */
export async function readSameResult(
  queryable: Queryable,
  deps: IdempotencyDeps,
  request: IdempotentOperation,
): Promise<unknown> {
  const earlier = await readEarlier(queryable, deps, request);
  if (earlier === null) return null;
  if (!earlier.isSameRequest) throw reusedKeyError();
  return earlier.storedResult;
}

async function readEarlier(
  queryable: Queryable,
  deps: IdempotencyDeps,
  request: IdempotentOperation,
): Promise<EarlierResult | null> {
  checkKey(request.key);
  const [earlier] = await queryable.query(EARLIER, [macOfKey(deps, request), oldestRecordAt(deps.clock)]);
  return earlier === undefined
    ? null
    : { storedResult: earlier.storedResult, isSameRequest: earlier.requestMac.equals(macOfRequest(deps, request)) };
}

/** @param subject the account concerned, for the log */
export function reusedKeyError(subject: ErrorSubject = {}): InvalidInputError {
  const fields = [{ field: 'Idempotency-Key', message: 'was used before with another request' }];
  return new InvalidInputError(fields, 'IDEMPOTENCY_KEY_REUSED', { subject });
}

function checkKey(key: string): void {
  if (!KEY.test(key))
    throw new InvalidInputError([{ field: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }]);
}

/**
 * Reads an id from a stored result.
 *
 * @throws Error when the id is missing: the service always stores it
 */
export function readResultId(storedResult: unknown, name: string): string {
  const id = isRecord(storedResult) ? storedResult[name] : undefined;
  if (typeof id !== 'string') throw new Error(`Stored idempotent result has no ${name}`);
  return id;
}
