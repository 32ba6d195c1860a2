import { isPast, type Outdated } from '../pruning/outdated.js';

const DAY_MS = 86_400_000;
const FINISHED_KEPT_MS = 30 * DAY_MS;
/** Longer, so that somebody can look into what was given up. */
const FAILED_KEPT_MS = 90 * DAY_MS;

const others = (status: string, keptMs: number): Outdated => ({
  table: 'outbox_task', by: 'finished_at', which: `registered_user_id is null and ${status} and ${isPast('finished_at', keptMs)}`,
});

/** Tasks that have been over for long. Those of a registration are the account's own record of it, and end with the account. */
export const OUTDATED_TASKS: readonly Outdated[] = [
  others(`status in ('DONE', 'SKIPPED')`, FINISHED_KEPT_MS),
  others(`status = 'FAILED'`, FAILED_KEPT_MS),
];
