import { UNLIMITED } from '../../../src/accounts/index.js';
import type { TaskStatus } from '../../../src/database/index.js';
import { findDueTaskIds } from '../../../src/database/outbox/find-due-task-ids.js';
import { createTaskHandlers } from '../../../src/jobs/index.js';
import { createTaskRun } from '../../../src/jobs/tasks/run-task.js';
import type { GroupsFixture } from './groups-fixture.js';

const BATCH_SIZE = 1_000;

/**
 * Runs due tasks by the fixture's clock, as the jobs would, until none is due.
 *
 * @param name only tasks of this name; null for all
 */
export async function runDueTasks(fixture: GroupsFixture, name: string | null = null): Promise<void> {
  const { deps, clock } = fixture;
  const fail = (fields: object): never => {
    throw new Error(`a task failed: ${JSON.stringify(fields)}`);
  };
  const runTask = createTaskRun({
    database: deps.database,
    clock,
    log: { info: () => undefined, warn: fail, error: fail },
    handlers: createTaskHandlers({ ...deps, limits: UNLIMITED }),
    dispatchAfter: () => undefined,
  });
  const find = (): Promise<string[]> =>
    name === null ? findDueTaskIds(deps.database, clock.now(), BATCH_SIZE) : findDueTaskIdsByName(fixture, name);
  for (let ids = await find(); ids.length > 0; ids = await find()) {
    for (const id of ids) await runTask(id);
  }
}

async function findDueTaskIdsByName(fixture: GroupsFixture, name: string): Promise<string[]> {
  const rows = await fixture.sql<{ id: string }>('select id from outbox_task where name = $1 and due_at <= $2', [
    name,
    fixture.clock.now(),
  ]);
  return rows.map(({ id }) => id);
}

/** Returns the statuses of the tasks with that name and payload, in the order in which they were enqueued. */
export async function readTaskStatuses(
  fixture: GroupsFixture,
  name: string,
  payload: Readonly<Record<string, string>>,
): Promise<TaskStatus[]> {
  const rows = await fixture.sql<{ status: TaskStatus }>(
    'select status from outbox_task where name = $1 and payload @> $2::jsonb order by created_at, id',
    [name, JSON.stringify(payload)],
  );
  return rows.map(({ status }) => status);
}
