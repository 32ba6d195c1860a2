import { DAY_MS } from '../../async/durations.js';
import { isOlderThanSql, type RetentionRule } from '../../database/index.js';
import type { Clock } from '../ports/clock.js';

/** How long a key identifies the same request. */
const IDEMPOTENCY_RECORD_TTL_MS = DAY_MS;

export const IDEMPOTENCY_RETENTION_RULE: RetentionRule = {
  table: 'idempotent_request',
  ageColumn: 'at',
  condition: isOlderThanSql('at', IDEMPOTENCY_RECORD_TTL_MS),
};

/** The time after which a record was stored that still counts. */
export function oldestRecordAt(clock: Clock): Date {
  return new Date(clock.now().getTime() - IDEMPOTENCY_RECORD_TTL_MS);
}
