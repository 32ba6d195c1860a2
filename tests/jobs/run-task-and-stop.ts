/**
 * Runs one task, stops the jobs, and prints the number of timers that keep the process alive then. Ends when every
 * connection is closed. Runs as a separate process.
 *
 * Arguments: the URL of the database, and the URI of a MongoDB server for jobs on it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import ormConfig from '../../mikro-orm.config.js';
import { enqueueTask, inTransaction, openDatabase } from '../../src/database/index.js';
import { startJobs } from '../../src/jobs/index.js';

const POLL_INTERVAL_MS = 5;

const [databaseUrl = '', mongodbUri = null] = process.argv.slice(2);

const clock = { now: () => new Date() };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const database = await openDatabase({ url: databaseUrl, poolSize: 2, orm: ormConfig, warn: () => undefined });
const { promise: ran, resolve } = Promise.withResolvers<undefined>();
const jobs = await startJobs({
  backend: mongodbUri === null ? 'postgres' : 'mongo',
  databaseUrl,
  mongodbUri,
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
console.log(`timers: ${count('Timeout')}`);
// The database closes its end of a connection after the client.
while (count('TCPSocketWrap') > 0) await delay(POLL_INTERVAL_MS);

function count(kind: string): number {
  return process.getActiveResourcesInfo().filter((each) => each === kind).length;
}
