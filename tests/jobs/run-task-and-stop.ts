/** Runs one task, stops the jobs, and prints how long the process then takes to exit. Runs as a separate process. */
import ormConfig from '../../mikro-orm.config.js';
import { enqueueTask, inTransaction, openDatabase } from '../../src/database/index.js';
import { startJobs } from '../../src/jobs/index.js';

const [databaseUrl = ''] = process.argv.slice(2);
const clock = { now: () => new Date() };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const database = await openDatabase({ url: databaseUrl, poolSize: 2, orm: ormConfig, warn: () => undefined });
const { promise: ran, resolve } = Promise.withResolvers<undefined>();
const jobs = await startJobs({
  backend: 'postgres',
  databaseUrl,
  mongodbUri: null,
  database,
  clock,
  log,
  workerName: 'worker',
  handlers: [
    {
      name: 'sample',
      run: () => {
        resolve(undefined);
        return Promise.resolve('DONE');
      },
    },
  ],
});
const id = await inTransaction(database, (em) =>
  Promise.resolve(enqueueTask(em, { name: 'sample', payload: {} }, clock.now()).id),
);
jobs.dispatch([id]);
await ran;
await jobs.stop();
await database.close();
const stoppedAtMs = performance.now();
process.on('exit', () => {
  console.log(`exited after ${Math.round(performance.now() - stoppedAtMs)} ms`);
});
