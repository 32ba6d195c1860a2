import { isOlderThanSql, type RetentionRule } from '../pruning/retention-rule.js';

const DAY_MS = 86_400_000;
const FINISHED_KEPT_MS = 30 * DAY_MS;
/** Longer, so that somebody can look into what was given up. */
const FAILED_KEPT_MS = 90 * DAY_MS;

const others = (status: string, keptMs: number): RetentionRule => ({
  table: 'outbox_task',
  ageColumn: 'finished_at',
  condition: `registered_user_id is null and ${status} and ${isOlderThanSql('finished_at', keptMs)}`,
});

/** Tasks that have been over for long. Those of a registration are the account's own record of it, and end with the account. */
export const TASK_RETENTION_RULES: readonly RetentionRule[] = [
  others(`status in ('DONE', 'SKIPPED')`, FINISHED_KEPT_MS),
  others(`status = 'FAILED'`, FAILED_KEPT_MS),
];
