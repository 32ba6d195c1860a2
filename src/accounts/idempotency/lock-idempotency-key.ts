import type { EntityManager } from '@mikro-orm/postgresql';
import { statement, transactionOf } from '../../database/index.js';
import { ConflictError } from '../../errors/index.js';
import { readSameResult } from './find-idempotent-result.js';
import { IdempotencyRecord } from './idempotency-record.entity.js';
import {
  lockIdOf,
  macOfKey,
  macOfRequest,
  type IdempotencyDeps,
  type IdempotentOperation,
} from './idempotent-operation.js';

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
  const transaction = transactionOf(em);
  const [row] = await transaction.query(TRY_LOCK, [lockIdOf(macOfKey(deps, request))]);
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
