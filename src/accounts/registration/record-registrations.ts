import { statement, type Database } from '../../database/index.js';

/** An attempt at a task that records a registration. */
export interface RegistrationEventTask {
  /** Also the id of the event. */
  readonly id: string;
  readonly attempts: number;
  readonly userId: string;
}

/**
 * Locks the accounts before their tasks, as an erasure does, and in one order. The key share lock blocks an erasure
 * until the commit: events have no foreign key that would refuse the insert. An erasure that was first has deleted the
 * task, which is then left out. The ids of the tasks are named again, as in `completeTasks`.
 */
const RECORD_REGISTRATIONS = statement<{ readonly id: string }>(
  'record_registrations',
  `
  with existing as (
    select id from account where id = any($3::uuid[]) order by id for key share
  ), mine as (
    select task.id, attempt.user_id, existing.id is not null as is_existing
    from unnest($1::uuid[], $2::integer[], $3::uuid[]) as attempt (id, attempts, user_id)
    join outbox_task task on task.id = attempt.id
    left join existing on existing.id = attempt.user_id
    where task.id = any($1::uuid[]) and task.attempts = attempt.attempts and task.status = 'RUNNING'
    order by task.id for update of task
  ), recorded as (
    insert into account_event (id, kind, user_id, at)
    select id, 'user.registered', user_id, $4 from mine where is_existing
  )
  update outbox_task task set status = case when mine.is_existing then 'DONE' else 'SKIPPED' end,
    due_at = null, finished_at = $4, last_error = null
  from mine where task.id = mine.id and task.id = any($1::uuid[])
  returning task.id`,
);

/**
 * Records the account events `user.registered` of several registrations and completes their tasks, by one statement. A
 * task is skipped when its account was deleted before.
 *
 * @returns the ids of the completed tasks, without those that another worker has claimed
 */
export async function recordRegistrations(
  database: Database,
  tasks: readonly RegistrationEventTask[],
  now: Date,
): Promise<string[]> {
  const columns = [tasks.map(({ id }) => id), tasks.map(({ attempts }) => attempts), tasks.map(({ userId }) => userId)];
  const completed = await database.write(RECORD_REGISTRATIONS, [...columns, now], { idempotent: false });
  return completed.map(({ id }) => id);
}
