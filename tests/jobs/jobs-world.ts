import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  startJobs,
  type Jobs,
  type JobsLogger,
  type JobsOptions,
  type TaskHandler,
  type TaskOutcome,
} from '../../src/jobs/index.js';
import { openOutboxWorld, type OutboxWorld } from '../database/outbox/outbox-world.js';
import { withClient } from '../support/database/test-database.js';
import { waitUntil } from '../support/wait-until.js';

/** Which backend the jobs of a suite run on. */
export type Backend = Pick<JobsOptions, 'backend' | 'mongodbUri'>;

interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

export interface JobsWorld extends OutboxWorld {
  readonly lines: readonly LogLine[];
  /** One process' worth of jobs; stopped when the world is closed. */
  start(handlers: readonly TaskHandler[], databaseUrl?: string): Promise<Jobs>;
  ends(taskId: string, status: 'DONE' | 'SKIPPED' | 'FAILED'): Promise<void>;
  /** Ends every connection to the database from the server's side, as a restart would. */
  cutConnections(): Promise<void>;
}

export async function openJobsWorld(backend: Backend): Promise<JobsWorld> {
  const outbox = await openOutboxWorld();
  const started: Jobs[] = [];
  const lines: LogLine[] = [];
  return {
    ...outbox,
    lines,
    async start(handlers, databaseUrl = outbox.url) {
      const { database, clock } = outbox;
      const workerName = `worker ${started.length} ${randomUUID()}`;
      const jobs = await startJobs({
        ...backend,
        databaseUrl,
        database,
        clock,
        log: recorder(lines),
        handlers,
        workerName,
      });
      started.push(jobs);
      return jobs;
    },
    ends: (taskId, status) =>
      waitUntil(`the task is ${status}`, async () => (await outbox.task(taskId)).status === status),
    async cutConnections() {
      await withClient(outbox.url, (client) =>
        client.query(
          `
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
        ),
      );
    },
    async close() {
      await Promise.all(started.map((jobs) => jobs.stop()));
      await outbox.close();
    },
  };
}

function recorder(lines: LogLine[]): JobsLogger {
  const at = (level: LogLine['level']) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** A handler whose effect is outside the database, and that remembers its runs. */
export function outside(
  run: () => Promise<TaskOutcome> = () => Promise.resolve('DONE'),
): TaskHandler & { readonly runs: string[] } {
  const runs: string[] = [];
  return {
    name: 'sample',
    runs,
    run({ id }) {
      runs.push(id);
      return run();
    },
  };
}

/** A handler whose effect is a row for each time that it took place. */
export function inDatabase(
  beforeEnd: () => Promise<void> = () => Promise.resolve(),
): TaskHandler & { readonly runs: string[] } {
  const runs: string[] = [];
  return {
    name: 'sample',
    runs,
    async runInTransaction(em, { id }) {
      runs.push(id);
      await insertEffect(em, id);
      await beforeEnd();
      return 'DONE';
    },
  };
}

/** A row each time, so that an effect that took place twice shows. */
export async function insertEffect(em: EntityManager, taskId: string): Promise<void> {
  await em.execute("insert into account_event values (gen_random_uuid(), 'user.registered', ?, now())", [taskId]);
}

/** How often each task's effect took place. */
export async function effectsOf(world: OutboxWorld, taskIds: readonly string[]): Promise<number[]> {
  const { rows } = await world.database.pool.query<{ user_id: string }>('select user_id from account_event');
  return taskIds.map((taskId) => rows.filter((row) => row.user_id === taskId).length);
}

/** Commits tasks; nobody is told. */
export async function enqueueMany(world: OutboxWorld, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await world.enqueue());
  return ids;
}
