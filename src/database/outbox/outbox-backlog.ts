import type pg from 'pg';

/** What of the outbox needs somebody's attention. */
export interface OutboxBacklog {
  /** Follow-ups of registrations, given up after their last attempt. */
  readonly failedFollowUps: number;
  /** Everything else that was given up: nobody retries it, and what asked for it can be asked again. */
  readonly failedOthers: number;
  /** Due for so long that no service can be at work on them. */
  readonly stuck: number;
}

const UNFINISHED = `
  select count(*) filter (where status = 'FAILED' and registered_user_id is not null)::int as "failedFollowUps",
    count(*) filter (where status = 'FAILED' and registered_user_id is null)::int as "failedOthers",
    count(*) filter (where due_at < $1)::int as stuck
  from outbox_task`;

/** @param dueBefore tasks that have been due since before then count as stuck */
export async function readOutboxBacklog(client: Pick<pg.Client, 'query'>, dueBefore: Date): Promise<OutboxBacklog> {
  const {
    rows: [counts],
  } = await client.query<OutboxBacklog>(UNFINISHED, [dueBefore]);
  return counts ?? { failedFollowUps: 0, failedOthers: 0, stuck: 0 };
}
