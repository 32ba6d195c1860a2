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
import { createOutboxFixture, type OutboxFixture } from '../database/outbox/outbox-fixture.js';
import { withClient } from '../support/database/test-database.js';
import { waitUntil } from '../support/wait-until.js';

/** Storage of Agenda in a test. */
export type Backend = Pick<JobsOptions, 'backend' | 'mongodbUri'>;

interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

export interface JobsFixture extends OutboxFixture {
  readonly lines: readonly LogLine[];
  /** Starts the jobs of one process. `close` stops them. */
  start(handlers: readonly TaskHandler[], databaseUrl?: string): Promise<Jobs>;
  waitForStatus(taskId: string, status: 'DONE' | 'SKIPPED' | 'FAILED'): Promise<void>;
  /** Ends every connection to the database from the server's side, as a restart does. */
  terminateConnections(): Promise<void>;
}

export async function createJobsFixture(backend: Backend): Promise<JobsFixture> {
  const outbox = await createOutboxFixture();
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
        log: createRecordingLogger(lines),
        handlers,
        workerName,
      });
      started.push(jobs);
      return jobs;
    },
    waitForStatus: (taskId, status) =>
      waitUntil(`the task is ${status}`, async () => (await outbox.task(taskId)).status === status),
    async terminateConnections() {
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

function createRecordingLogger(lines: LogLine[]): JobsLogger {
  const at = (level: LogLine['level']) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** Creates a handler whose effect is outside the database, and which records its runs. */
export function externalEffectHandler(
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

/** Creates a handler that inserts a row for each run that commits, and which records its runs. */
export function transactionalHandler(
  beforeCommit: () => Promise<void> = () => Promise.resolve(),
): TaskHandler & { readonly runs: string[] } {
  const runs: string[] = [];
  return {
    name: 'sample',
    runs,
    async runInTransaction(em, { id }) {
      runs.push(id);
      await insertEffect(em, id);
      await beforeCommit();
      return 'DONE';
    },
  };
}

/** Inserts a row for each effect, so that `countEffects` finds a repeated effect. */
export async function insertEffect(em: EntityManager, taskId: string): Promise<void> {
  await em.execute("insert into account_event values (gen_random_uuid(), 'user.registered', ?, now())", [taskId]);
}

/** Returns the number of committed effects of each task. */
export async function countEffects(fixture: OutboxFixture, taskIds: readonly string[]): Promise<number[]> {
  const { rows } = await fixture.database.pool.query<{ user_id: string }>('select user_id from account_event');
  return taskIds.map((taskId) => rows.filter((row) => row.user_id === taskId).length);
}

/** Commits tasks without a dispatch. */
export async function enqueueTasks(fixture: OutboxFixture, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await fixture.enqueue());
  return ids;
}
