import { afterAll, describe, expect, it } from '@jest/globals';
import { describeJobsOn } from './backend-suite.js';
import { inDatabase, openJobsWorld } from './jobs-world.js';
import { findMongoServer } from './mongo-server.js';

const server = await findMongoServer();

if ('missing' in server) {
  console.warn(`The jobs were NOT tested on MongoDB: ${server.missing}.`);
  // A MongoDB server is no npm package: skipped where none is found, with the reason in the title.
  it.skip(`jobs on mongo: NOT RUN, because ${server.missing}`, () => undefined);
} else {
  afterAll(() => server.stop());
  describeJobsOn({ backend: 'mongo', mongodbUri: server.uri });
}

describe('jobs on a MongoDB server that cannot be reached', () => {
  it('still run what is owed, say what is amiss, and stop', async () => {
    const world = await openJobsWorld({
      backend: 'mongo',
      mongodbUri: 'mongodb://127.0.0.1:1/convene?serverSelectionTimeoutMS=300',
    });
    const jobs = await world.start([inDatabase()]);
    const id = await world.enqueue();

    jobs.dispatch([id]);
    world.clock.advance(5_000);

    await world.ends(id, 'DONE');
    await expect(jobs.checkHealth()).rejects.toThrow('Agenda cannot be reached: connect ECONNREFUSED');
    await world.close();
  });
});
