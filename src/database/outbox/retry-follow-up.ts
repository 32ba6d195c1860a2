import { NotFoundError } from '../../errors/index.js';
import type { Database } from '../database.js';
import { statement } from '../statement.js';
import { FOLLOW_UP_COLUMNS, type FollowUpTask } from './list-follow-ups.js';

const RETRY = statement<FollowUpTask>('retry_follow_up', `
  update outbox_task set status = 'QUEUED', attempts = 0, due_at = $2, finished_at = null
  where id = $1 and registered_user_id is not null and status = 'FAILED'
  returning ${FOLLOW_UP_COLUMNS}`);

/**
 * Gives a follow-up that was given up all its attempts again, the first of them now.
 *
 * Its last error stays until an attempt succeeds.
 *
 * @throws NotFoundError `FOLLOW_UP_NOT_FOUND` for any other task, also for one that has not failed
 * @throws UnavailableError `DATABASE_UNAVAILABLE`
 */
export async function retryFollowUp(database: Database, id: string, now: Date): Promise<FollowUpTask> {
  const [retried] = await database.read(RETRY, [id, now]);
  if (retried === undefined) throw new NotFoundError('FOLLOW_UP_NOT_FOUND');
  return retried;
}
