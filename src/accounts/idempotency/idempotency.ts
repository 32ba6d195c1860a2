import type { EntityManager } from '@mikro-orm/postgresql';
import { DAY_MS } from '../../async/durations.js';
import type { Database } from '../../database/index.js';
import { ConflictError, InvalidInputError, type ErrorSubject } from '../../errors/index.js';
import type { Actor } from '../identity/actor.js';
import type { Clock } from '../ports.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import { IdempotencyRecord } from './idempotency-record.entity.js';

/** For how long the same key means the same request. */
export const IDEMPOTENCY_RECORD_TTL_MS = DAY_MS;
/** Printable ASCII, as a header or a quoted string of one (IETF draft on the Idempotency-Key header field). */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** A request that may come again, with what tells it from others. */
export interface IdempotentOperation {
  /** The Idempotency-Key, as it was sent. */
  readonly key: string;
  readonly operation: string;
  readonly actor: Actor;
  /**
   * The whole input without passwords: a client that reads the table or repeats the request could guess a password from a
   * fast MAC. A use case whose result takes a password verifies the password with each repetition instead.
   */
  readonly input: unknown;
}

/** What an earlier request under the same key has made. */
export interface EarlierResult {
  readonly made: unknown;
  /** Whether that one asked for the same, as far as the input tells. */
  readonly isSameRequest: boolean;
}

export interface IdempotencyDeps {
  readonly database: Database;
  readonly serverSecret: ServerSecret;
  readonly clock: Clock;
}

/**
 * Finds what an earlier request with the same key has made; null when this is the first, or has no key.
 *
 * @throws InvalidInputError `IDEMPOTENCY_KEY_REUSED` when that one asked for something else, `INVALID_INPUT` for a key that cannot be
 */
export async function findIdempotentResult(
  deps: IdempotencyDeps,
  request: IdempotentOperation | null,
): Promise<unknown> {
  return request === null ? null : read(deps.database.fork(), deps, request);
}

/**
 * As `findIdempotentResult`, for a use case that has more to compare than the input: it decides what another request is told.
 *
 * @throws InvalidInputError `INVALID_INPUT` for a key that cannot be
 */
export async function findEarlierResult(
  deps: IdempotencyDeps,
  request: IdempotentOperation,
): Promise<EarlierResult | null> {
  return readEarlier(deps.database.fork(), deps, request);
}

/**
 * Takes the key for the transaction that is about to make something: until that ends, nobody else makes anything under it, in
 * whatever process.
 *
 * @throws ConflictError `REQUEST_IN_PROGRESS` while the same request is under way, or when it ended only just now
 */
export async function lockIdempotencyKey(
  em: EntityManager,
  deps: IdempotencyDeps,
  request: IdempotentOperation | null,
): Promise<void> {
  if (request === null) return;
  const lock = macOfKey(deps, request).readBigInt64BE().toString();
  const [row] = await em.execute<{ had: boolean }[]>('select pg_try_advisory_xact_lock(?::bigint) as had', [lock]);
  if (row?.had !== true || (await read(em, deps, request)) !== null) throw new ConflictError('REQUEST_IN_PROGRESS');
}

/**
 * Keeps, with what is made, that it was made.
 *
 * @param made ids and words only, as JSON
 * @param accountId whose it is; erased with the account
 */
export async function saveIdempotentResult(
  em: EntityManager,
  deps: IdempotencyDeps,
  request: IdempotentOperation | null,
  { made, accountId }: { readonly made: unknown; readonly accountId: string | null },
): Promise<void> {
  if (request === null) return;
  const keyMac = macOfKey(deps, request);
  // One that is older than a day may still be there.
  await em.nativeDelete(IdempotencyRecord, { keyMac });
  em.persist(
    em.create(IdempotencyRecord, {
      keyMac,
      requestMac: macOfRequest(deps, request),
      made,
      accountId,
      at: deps.clock.now(),
    }),
  );
}

async function read(em: EntityManager, deps: IdempotencyDeps, request: IdempotentOperation): Promise<unknown> {
  const earlier = await readEarlier(em, deps, request);
  if (earlier === null) return null;
  if (!earlier.isSameRequest) throw reusedKeyError();
  return earlier.made;
}

async function readEarlier(
  em: EntityManager,
  deps: IdempotencyDeps,
  request: IdempotentOperation,
): Promise<EarlierResult | null> {
  checkKey(request.key);
  const earlier = await em.findOne(IdempotencyRecord, {
    keyMac: macOfKey(deps, request),
    at: { $gt: oldest(deps.clock) },
  });
  return earlier === null
    ? null
    : { made: earlier.made, isSameRequest: earlier.requestMac.equals(macOfRequest(deps, request)) };
}

/** @param subject whom it concerns, for the log */
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

/** Nobody reads another caller's answers by guessing keys; those who are not known share one space, where the request decides. */
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

/** An id in what was kept; anything else there was not written by us. */
export function readResultId(made: unknown, name: string): string {
  const id: unknown =
    typeof made === 'object' && made !== null ? Object.entries(made).find(([key]) => key === name)?.[1] : undefined;
  if (typeof id !== 'string') throw new Error(`What was kept under an Idempotency-Key has no ${name}`);
  return id;
}
