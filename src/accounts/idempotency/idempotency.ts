import type { EntityManager } from '@mikro-orm/postgresql';
import { DAY_MS } from '../../async/durations.js';
import {
  isOlderThanSql,
  statement,
  transactionOf,
  type Database,
  type Queryable,
  type RetentionRule,
} from '../../database/index.js';
import { ConflictError, InvalidInputError, isRecord, type ErrorSubject } from '../../errors/index.js';
import type { Actor } from '../identity/actor.js';
import type { Clock } from '../ports/clock.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import { IdempotencyRecord } from './idempotency-record.entity.js';

/** How long a key identifies the same request. */
const IDEMPOTENCY_RECORD_TTL_MS = DAY_MS;

export const IDEMPOTENCY_RETENTION_RULE: RetentionRule = {
  table: 'idempotent_request',
  ageColumn: 'at',
  condition: isOlderThanSql('at', IDEMPOTENCY_RECORD_TTL_MS),
};

/** Printable ASCII, as a header value or a quoted string (IETF draft of the Idempotency-Key header field). */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** A request that may be repeated, with the values that identify it. */
export interface IdempotentOperation {
  /** The Idempotency-Key as sent. */
  readonly key: string;
  readonly operation: string;
  readonly actor: Actor;
  /**
   * The whole input without passwords. Reason: a client that reads the table or repeats the request could guess a
   * password from a fast MAC. A use case with a password verifies it at each repetition instead.
   */
  readonly input: unknown;
}

/** Result of an earlier request under the same key. */
export interface EarlierResult {
  readonly storedResult: unknown;
  /** Whether the inputs were equal. */
  readonly isSameRequest: boolean;
}

export interface IdempotencyDeps {
  readonly database: Database;
  readonly serverSecret: ServerSecret;
  readonly clock: Clock;
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

const TRY_LOCK = statement<{ readonly isLocked: boolean }>(
  'try_lock_idempotency_key',
  `
  select pg_try_advisory_xact_lock($1::bigint) as "isLocked"`,
);

/**
 * Takes a transaction-level advisory lock on the Idempotency-Key, across processes. Does not wait.
 *
 * @throws ConflictError `REQUEST_IN_PROGRESS` when the lock is held, or a result was saved since `findIdempotentResult`
 */
export async function lockIdempotencyKey(
  em: EntityManager,
  deps: IdempotencyDeps,
  request: IdempotentOperation | null,
): Promise<void> {
  if (request === null) return;
  const lock = macOfKey(deps, request).readBigInt64BE().toString();
  const transaction = transactionOf(em);
  const [row] = await transaction.query(TRY_LOCK, [lock]);
  if (row?.isLocked !== true || (await readSameResult(transaction, deps, request)) !== null)
    throw new ConflictError('REQUEST_IN_PROGRESS');
}

/**
 * Saves the result in the transaction that created it.
 *
 * @param storedResult JSON of ids and enum values
 * @param accountId the account that it belongs to and with which it is erased
 */
export async function saveIdempotentResult(
  em: EntityManager,
  deps: IdempotencyDeps,
  request: IdempotentOperation | null,
  { storedResult, accountId }: { readonly storedResult: unknown; readonly accountId: string | null },
): Promise<void> {
  if (request === null) return;
  const keyMac = macOfKey(deps, request);
  // An expired record may not have been pruned yet.
  await em.nativeDelete(IdempotencyRecord, { keyMac });
  em.persist(
    em.create(IdempotencyRecord, {
      keyMac,
      requestMac: macOfRequest(deps, request),
      storedResult,
      accountId,
      at: deps.clock.now(),
    }),
  );
}

/**
 * SQL for the common table expressions of a statement that does the work of a request: it saves the result in
 * `saved_key`, and `permitted` has one row when the work may be done. Without a key it always has.
 *
 * The lock is that of `lockIdempotencyKey`. A result that was saved since the statement began conflicts with the
 * insertion. Reason for comparing the result: the statement is repeated after a lost connection, and may have been
 * committed.
 *
 * @param parameter with the value of `toKeyClaim`
 * @param condition SQL of a further condition of saving the result
 */
export function claimKeySql(parameter: string, condition = 'true'): string {
  return `
  key_claim as (
    select * from json_to_record(${parameter}::json) as claim (
      lock bigint, key_mac text, request_mac text, made jsonb, account_id uuid, at timestamptz, oldest timestamptz)
  ), saved_key as (
    insert into idempotent_request (key_mac, request_mac, made, account_id, at)
    select decode(key_mac, 'hex'), decode(request_mac, 'hex'), made, account_id, at from key_claim
    where lock is not null and ${condition} and pg_try_advisory_xact_lock(lock)
    on conflict (key_mac) do update
      set request_mac = excluded.request_mac, made = excluded.made, account_id = excluded.account_id, at = excluded.at
      where idempotent_request.at <= (select oldest from key_claim) or idempotent_request.made = excluded.made
    returning 1
  ), permitted as (
    select 1 from key_claim where lock is null or exists (select from saved_key)
  )`;
}

/** The parameter of `claimKeySql`. */
export function toKeyClaim(
  deps: IdempotencyDeps,
  request: IdempotentOperation | null,
  { storedResult, accountId }: { readonly storedResult: unknown; readonly accountId: string | null },
): string {
  if (request === null) return '{}';
  const keyMac = macOfKey(deps, request);
  return JSON.stringify({
    lock: keyMac.readBigInt64BE().toString(),
    key_mac: keyMac.toString('hex'),
    request_mac: macOfRequest(deps, request).toString('hex'),
    made: storedResult,
    account_id: accountId,
    at: deps.clock.now(),
    oldest: oldest(deps.clock),
  });
}

/**
 * Throws the reason why a statement with `claimKeySql` did nothing.
 *
 * @throws InvalidInputError `IDEMPOTENCY_KEY_REUSED`
 * @throws ConflictError `REQUEST_IN_PROGRESS`
 */
export async function throwKeyConflict(deps: IdempotencyDeps, request: IdempotentOperation | null): Promise<never> {
  await findIdempotentResult(deps, request);
  throw new ConflictError('REQUEST_IN_PROGRESS');
}

const EARLIER = statement<{ readonly requestMac: Buffer; readonly storedResult: unknown }>(
  'earlier_result',
  `
  select request_mac as "requestMac", made as "storedResult" from idempotent_request where key_mac = $1 and at > $2`,
);

async function readSameResult(
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
  const [earlier] = await queryable.query(EARLIER, [macOfKey(deps, request), oldest(deps.clock)]);
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

function macOfKey({ serverSecret }: IdempotencyDeps, { key, operation, actor }: IdempotentOperation): Buffer {
  return serverSecret.hmac('idempotency-key', JSON.stringify([operation, callerOf(actor), key]));
}

function macOfRequest({ serverSecret }: IdempotencyDeps, { input }: IdempotentOperation): Buffer {
  return serverSecret.hmac('idempotent-request', JSON.stringify(input));
}

function oldest(clock: Clock): Date {
  return new Date(clock.now().getTime() - IDEMPOTENCY_RECORD_TTL_MS);
}

/**
 * Separates callers, so that guessing a key does not reveal the response of another caller. Anonymous callers share one
 * namespace, where the input decides.
 */
function callerOf(actor: Actor): string {
  switch (actor.kind) {
    case 'user':
      return actor.userId;
    case 'service':
      return actor.apiKeyId;
    case 'anonymous':
      return '';
  }
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
