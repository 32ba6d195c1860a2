import { NO_RATE_LIMITS } from '../../src/accounts/index.js';
import type { TaskStatus } from '../../src/database/index.js';
import { dueTasks } from '../../src/database/outbox/due-tasks.js';
import { followUps } from '../../src/jobs/index.js';
import { runTask, type RunTaskDeps } from '../../src/jobs/run-task.js';
import type { GroupsWorld } from './groups.js';

const MOST_AT_ONCE = 1_000;

/** Runs what is due by the world's clock, as the jobs would, until nothing is. */
export async function runDueTasks(world: GroupsWorld): Promise<void> {
  const { deps, clock } = world;
  const fail = (fields: object): never => { throw new Error(`a task failed: ${JSON.stringify(fields)}`); };
  const runner: RunTaskDeps = {
    database: deps.database, clock, log: { info: () => undefined, warn: fail, error: fail },
    handlers: new Map(followUps({ ...deps, limits: NO_RATE_LIMITS }).map((handler) => [handler.name, handler])), wakeLater: () => undefined,
  };
  for (let ids = await dueTasks(deps.database, clock.now(), MOST_AT_ONCE); ids.length > 0; ids = await dueTasks(deps.database, clock.now(), MOST_AT_ONCE)) {
    for (const id of ids) await runTask(runner, id);
  }
}

/** How the tasks of that name about one group or invitation ended, in the order in which they were owed. */
export async function outcomesOf(world: GroupsWorld, name: string, about: Readonly<Record<string, string>>): Promise<TaskStatus[]> {
  const rows = await world.sql<{ status: TaskStatus }>(
    'select status from outbox_task where name = $1 and payload @> $2::jsonb order by created_at, id', [name, JSON.stringify(about)],
  );
  return rows.map(({ status }) => status);
}
