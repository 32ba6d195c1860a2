import { describe, expect, it } from '@jest/globals';
import { describeWithMongo } from '../support/ferretdb/describe-with-mongo.js';
import { describeJobs } from './describe-jobs.js';
import { createJobsFixture, transactionalHandler } from './jobs-fixture.js';

describeWithMongo('MongoDB', (mongodbUri) => {
  describeJobs('mongo', mongodbUri);
});

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
