import { UNLIMITED } from '../../src/accounts/index.js';
import type { TaskStatus } from '../../src/database/index.js';
import { findDueTaskIds } from '../../src/database/outbox/find-due-task-ids.js';
import { createTaskHandlers } from '../../src/jobs/index.js';
import { runTask, type RunTaskDeps } from '../../src/jobs/tasks/run-task.js';
import type { GroupsFixture } from './groups-fixture.js';

const MOST_AT_ONCE = 1_000;

/** Runs what is due by the world's clock, as the jobs would, until nothing is. @param name only tasks of this name; null for all */
export async function runDueTasks(world: GroupsFixture, name: string | null = null): Promise<void> {
  const { deps, clock } = world;
  const fail = (fields: object): never => {
    throw new Error(`a task failed: ${JSON.stringify(fields)}`);
  };
  const runner: RunTaskDeps = {
    database: deps.database,
    clock,
    log: { info: () => undefined, warn: fail, error: fail },
    handlers: new Map(createTaskHandlers({ ...deps, limits: UNLIMITED }).map((handler) => [handler.name, handler])),
    dispatchAfter: () => undefined,
  };
  const find = (): Promise<string[]> =>
    name === null ? findDueTaskIds(deps.database, clock.now(), MOST_AT_ONCE) : dueTasksNamed(world, name);
  for (let ids = await find(); ids.length > 0; ids = await find()) {
    for (const id of ids) await runTask(runner, id);
  }
}

async function dueTasksNamed(world: GroupsFixture, name: string): Promise<string[]> {
  const rows = await world.sql<{ id: string }>('select id from outbox_task where name = $1 and due_at <= $2', [
    name,
    world.clock.now(),
  ]);
  return rows.map(({ id }) => id);
}

/** How the tasks of that name about one group or invitation ended, in the order in which they were owed. */
export async function readTaskStatuses(
  world: GroupsFixture,
  name: string,
  about: Readonly<Record<string, string>>,
): Promise<TaskStatus[]> {
  const rows = await world.sql<{ status: TaskStatus }>(
    'select status from outbox_task where name = $1 and payload @> $2::jsonb order by created_at, id',
    [name, JSON.stringify(about)],
  );
  return rows.map(({ status }) => status);
}
