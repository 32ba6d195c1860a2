import { ConflictError } from '../../errors/index.js';
import { findIdempotentResult } from './find-idempotent-result.js';
import { oldestRecordAt } from './idempotency-retention.js';
import {
  lockIdOf,
  macOfKey,
  macOfRequest,
  type IdempotencyDeps,
  type IdempotentOperation,
} from './idempotent-operation.js';

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
    lock: lockIdOf(keyMac),
    key_mac: keyMac.toString('hex'),
    request_mac: macOfRequest(deps, request).toString('hex'),
    made: storedResult,
    account_id: accountId,
    at: deps.clock.now(),
    oldest: oldestRecordAt(deps.clock),
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
