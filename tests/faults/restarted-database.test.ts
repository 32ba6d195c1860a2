import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import ormConfig from '../../mikro-orm.config.js';
import { startEmbeddedServer, type EmbeddedServer } from '../../src/database/embedded/embedded-server.js';
import { findFreePort } from '../../src/database/embedded/system/free-port.js';
import {
  enqueueTask,
  inTransaction,
  migrate,
  openDatabase,
  OutboxTask,
  type Database,
  type TaskStatus,
} from '../../src/database/index.js';
import { startJobs, type Jobs } from '../../src/jobs/index.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';
import { fakeClock } from '../support/fake-clock.js';
import { waitUntil } from '../support/wait-until.js';

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
const clock = fakeClock();
let folder: string;
let port: number;
let server: EmbeddedServer;
let database: Database;
let jobs: Jobs | null = null;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  port = await findFreePort();
  await startServer();
  await migrate(server.url, ormConfig);
  database = await openDatabase({ url: server.url, poolSize: 5, orm: ormConfig, warn: () => undefined });
});
afterEach(() => jobs?.stop());
afterAll(async () => {
  await database.close();
  await server.stop();
  await removeFolder(folder);
});

async function startServer(): Promise<void> {
  server = await startEmbeddedServer({ dataDir: folder, port, log: QUIET, durable: false });
}

async function start(run: () => Promise<void> = () => Promise.resolve()): Promise<Jobs> {
  jobs = await startJobs({
    backend: 'postgres',
    databaseUrl: server.url,
    mongodbUri: null,
    database,
    clock,
    log: QUIET,
    workerName: 'worker',
    handlers: [
      {
        name: 'sample',
        run: async () => {
          await run();
          return 'DONE';
        },
      },
    ],
  });
  return jobs;
}

function owe(): Promise<string> {
  return inTransaction(database, (em) =>
    Promise.resolve(enqueueTask(em, { name: 'sample', payload: {} }, clock.now()).id),
  );
}

async function statusOf(taskId: string): Promise<TaskStatus> {
  const task = await inTransaction(database, (em) => em.findOneOrFail(OutboxTask, { id: taskId }));
  return task.status;
}

/** The clock does not advance, so the relay waits, and only Agenda can have resumed. */
async function runsAgain(jobs: Jobs): Promise<void> {
  const id = await owe();
  await waitUntil('a task is run again', async () => {
    jobs.dispatch([id]);
    return (await statusOf(id)) === 'DONE';
  });
  // The relay may have polled last just before the database was available again.
  await waitUntil('it says that all is well', () =>
    jobs.checkHealth().then(
      () => true,
      () => false,
    ),
  );
}

describe('jobs during a database outage', () => {
  it('resume afterwards, and report the outage meanwhile', async () => {
    const started = await start();
    await runsAgain(started);

    await server.stop();
    await waitUntil('it is noticed', () =>
      started.checkHealth().then(
        () => false,
        () => true,
      ),
    );
    await startServer();

    await runsAgain(started);
  });

  it('start when the database becomes available after their start', async () => {
    const waiting = await owe();
    await server.stop();
    const started = await start();
    await expect(started.checkHealth()).rejects.toThrow('ECONNREFUSED');

    await startServer();

    await waitUntil('the pending task is run', async () => (await statusOf(waiting)) === 'DONE');
    await runsAgain(started);
  });

  it('do not repeat an effect only because the outage prevented recording it', async () => {
    let runs = 0;
    const restarts: Promise<void>[] = [];
    const id = await owe();

    await start(async () => {
      runs += 1;
      await server.stop();
      restarts.push(startServer());
    });

    await waitUntil('the server is down', () => restarts.length === 1);
    await Promise.all(restarts);
    await waitUntil('it is recorded', async () => (await statusOf(id)) === 'DONE');
    expect(runs).toBe(1);
  });

  it('stop during the outage', async () => {
    const started = await start();
    await server.stop();

    await started.stop();

    await startServer();
  });
});
