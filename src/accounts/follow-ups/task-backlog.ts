import type pg from 'pg';

/** Numbers of tasks that need an operator's attention. */
export interface TaskBacklog {
  /** Follow-ups of registrations that failed their last attempt. */
  readonly failedFollowUps: number;
  /**
   * Other tasks that failed their last attempt. They cannot be retried; the request that enqueued them can be repeated.
   */
  readonly failedOthers: number;
  /** Due since before `dueBefore`, so that no running process works on them. */
  readonly stuck: number;
}

const UNFINISHED = `
  select count(*) filter (where status = 'FAILED' and registered_user_id is not null)::int as "failedFollowUps",
    count(*) filter (where status = 'FAILED' and registered_user_id is null)::int as "failedOthers",
    count(*) filter (where due_at < $1)::int as stuck
  from outbox_task`;

/** @param dueBefore tasks that have been due since before then count as stuck */
export async function readTaskBacklog(client: Pick<pg.Client, 'query'>, dueBefore: Date): Promise<TaskBacklog> {
  const {
    rows: [counts],
  } = await client.query<TaskBacklog>(UNFINISHED, [dueBefore]);
  return counts ?? { failedFollowUps: 0, failedOthers: 0, stuck: 0 };
}
