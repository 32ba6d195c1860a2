/**
 * Runs due tasks, and is killed at the end of a task's work, before its result is recorded. Runs as a separate process.
 */
import { writeFile } from 'node:fs/promises';
import ormConfig from '../../mikro-orm.config.js';
import { openDatabase } from '../../src/database/index.js';
import { startJobs } from '../../src/jobs/index.js';
import { insertEffect } from '../jobs/jobs-fixture.js';

const [databaseUrl = '', effectFile = ''] = process.argv.slice(2);
const database = await openDatabase({ url: databaseUrl, poolSize: 5, orm: ormConfig, warn: () => undefined });
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}

await startJobs({
  backend: 'postgres',
  databaseUrl,
  mongodbUri: null,
  database,
  clock: { now: () => new Date() },
  log,
  workerName: 'doomed',
  handlers: [
    {
      name: 'write_a_file',
      async run({ id }) {
        await writeFile(effectFile, id);
        return die();
      },
    },
    {
      name: 'write_a_row',
      async runInTransaction(em, { id }) {
        await insertEffect(em, id);
        return die();
      },
    },
  ],
});
