import { afterAll, describe, expect, it } from '@jest/globals';
import { describeJobs } from './describe-jobs.js';
import { createJobsFixture, transactionalHandler } from './jobs-fixture.js';
import { findMongoServer } from './mongo-server.js';

const server = await findMongoServer();

if ('missing' in server) {
  console.warn(`The jobs were NOT tested on MongoDB: ${server.missing}.`);
  // A MongoDB server is no npm package: skipped where none is found, with the reason in the title.
  it.skip(`jobs on mongo: NOT RUN, because ${server.missing}`, () => undefined);
} else {
  afterAll(() => server.stop());
  describeJobs({ backend: 'mongo', mongodbUri: server.uri });
}

describe('jobs on an unreachable MongoDB server', () => {
  it('run due tasks, report the reason, and stop', async () => {
    const fixture = await createJobsFixture({
      backend: 'mongo',
      mongodbUri: 'mongodb://127.0.0.1:1/convene?serverSelectionTimeoutMS=300',
    });
    const jobs = await fixture.start([transactionalHandler()]);
    const id = await fixture.enqueue();

    jobs.dispatch([id]);
    fixture.clock.advance(5_000);

    await fixture.waitForStatus(id, 'DONE');
    await expect(jobs.checkHealth()).rejects.toThrow('Agenda cannot be reached: connect ECONNREFUSED');
    await fixture.close();
  });
});
