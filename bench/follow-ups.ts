/**
 * Measures the time from commit to the start of a task, and the tasks per second of a backlog.
 *
 *   npm run bench:follow-ups
 *
 * The jobs of Agenda are in PostgreSQL, or on the MongoDB server that `MONGODB_URI` names.
 */
import { rm } from 'node:fs/promises';
import ormConfig from '../mikro-orm.config.js';
import { startEmbeddedServer } from '../src/database/embedded/embedded-server.js';
import { enqueueTask, inTransaction, migrate, openDatabase, type Database } from '../src/database/index.js';
import { startJobs, type Jobs } from '../src/jobs/index.js';
import { createBenchFolder } from './measure.js';

const REGISTRATIONS = 200;
const BACKLOG = 3_000;
/** Follow-ups of a registration: one mail and two database changes. */
const NAMES = ['outside', 'inside', 'inside'];
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
const mongodbUri = process.env['MONGODB_URI'] ?? null;
const clock = { now: () => new Date() };

/** Counts started tasks. */
class Beginnings {
  readonly #atMs = new Map<string, number>();
  #awaited = 0;
  #reached: () => void = () => undefined;

  note(taskId: string): 'DONE' {
    this.#atMs.set(taskId, performance.now());
    if (this.#atMs.size === this.#awaited) this.#reached();
    return 'DONE';
  }

  of(taskId: string): number {
    return this.#atMs.get(taskId) ?? NaN;
  }

  reach(count: number): Promise<void> {
    return new Promise((resolve) => {
      [this.#awaited, this.#reached] = [count, resolve];
      if (this.#atMs.size >= count) resolve();
    });
  }
}

const folder = await createBenchFolder();
const server = await startEmbeddedServer({ dataDir: folder, log: QUIET });
await migrate(server.url, ormConfig);
const database = await openDatabase({ url: server.url, poolSize: 10, orm: ormConfig, warn: () => undefined });
const beginnings = new Beginnings();
const jobs = await startJobs({
  backend: mongodbUri === null ? 'postgres' : 'mongo',
  databaseUrl: server.url,
  mongodbUri,
  database,
  clock,
  log: QUIET,
  workerName: 'bench',
  handlers: [
    { name: 'outside', run: ({ id }) => Promise.resolve(beginnings.note(id)) },
    { name: 'inside', runInTransaction: (_em, { id }) => Promise.resolve(beginnings.note(id)) },
  ],
});
try {
  await measureDelay(database, jobs);
  await measureRate(database, jobs);
} finally {
  await jobs.stop();
  await database.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measureDelay(on: Database, by: Jobs): Promise<void> {
  const delaysMs: number[] = [];
  for (let count = 1; count <= REGISTRATIONS; count += 1) {
    const ids = await commit(on, NAMES);
    const committedAtMs = performance.now();
    by.dispatch(ids);
    await beginnings.reach(count * NAMES.length);
    delaysMs.push(...ids.map((id) => beginnings.of(id) - committedAtMs));
  }
  delaysMs.sort((one, other) => one - other);
  const quantile = (part: number) => delaysMs[Math.floor(delaysMs.length * part)]?.toFixed(1);
  console.log(`from commit to start: p50 ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms, p99 ${quantile(0.99)} ms`);
}

async function measureRate(on: Database, by: Jobs): Promise<void> {
  const ids = await commit(
    on,
    Array.from({ length: BACKLOG }, (_, index) => NAMES[index % NAMES.length] ?? ''),
  );
  const begunAtMs = performance.now();
  by.dispatch(ids);
  await beginnings.reach(REGISTRATIONS * NAMES.length + BACKLOG);
  const seconds = (performance.now() - begunAtMs) / 1_000;
  console.log(`a backlog of ${BACKLOG} tasks: ${Math.round(BACKLOG / seconds)}/s`);
}

function commit(on: Database, names: readonly string[]): Promise<string[]> {
  return inTransaction(on, (em) =>
    Promise.resolve(names.map((name) => enqueueTask(em, { name, payload: {} }, clock.now()).id)),
  );
}
