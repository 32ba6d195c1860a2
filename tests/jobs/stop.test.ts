import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { describeWithMongo } from '../support/ferretdb/describe-with-mongo.js';
import { runScript } from '../support/processes/run-script.js';

const SCRIPT = new URL('run-task-and-stop.ts', import.meta.url);

describe('Jobs.stop', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('leaves no timer and no connection that keeps the process alive', async () => {
    expect(await runScript(SCRIPT, [database.url])).toEqual({ code: 0, signal: null, output: 'timers: 0\n' });
  });

  describeWithMongo('on MongoDB', (mongodbUri) => {
    it('leaves no timer and no connection that keeps the process alive', async () => {
      const result = await runScript(SCRIPT, [database.url, mongodbUri()]);
      expect(result).toEqual({ code: 0, signal: null, output: 'timers: 0\n' });
    });
  });
});
