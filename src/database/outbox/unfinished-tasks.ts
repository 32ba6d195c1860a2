import type pg from 'pg';

/** What of the outbox needs somebody's attention. */
export interface UnfinishedTasks {
  /** Given up after their last attempt. */
  readonly failed: number;
  /** Due for so long that no service can be at work on them. */
  readonly stuck: number;
}

const UNFINISHED = `
  select count(*) filter (where status = 'FAILED')::int as failed, count(*) filter (where due_at < $1)::int as stuck
  from outbox_task`;

/** @param dueBefore tasks that have been due since before then count as stuck */
export async function countUnfinishedTasks(client: Pick<pg.Client, 'query'>, dueBefore: Date): Promise<UnfinishedTasks> {
  const { rows: [counts] } = await client.query<UnfinishedTasks>(UNFINISHED, [dueBefore]);
  return counts ?? { failed: 0, stuck: 0 };
}
