import { DAY_MS } from '../../async/durations.js';
import { isOlderThanSql, type RetentionRule } from '../../database/index.js';

const FINISHED_RETENTION_MS = 30 * DAY_MS;
/** Longer, so that an administrator can investigate the failure. */
const FAILED_RETENTION_MS = 90 * DAY_MS;

const others = (status: string, retentionMs: number): RetentionRule => ({
  table: 'outbox_task',
  ageColumn: 'finished_at',
  condition: `registered_user_id is null and ${status} and ${isOlderThanSql('finished_at', retentionMs)}`,
});

/** Finished tasks. Those with a `registered_user_id` belong to the account's data and are deleted with it. */
export const TASK_RETENTION_RULES: readonly RetentionRule[] = [
  others(`status in ('DONE', 'SKIPPED')`, FINISHED_RETENTION_MS),
  others(`status = 'FAILED'`, FAILED_RETENTION_MS),
];
