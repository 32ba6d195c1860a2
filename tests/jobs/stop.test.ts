import { expect, it } from '@jest/globals';
import { createTestDatabase } from '../support/database/test-database.js';
import { runScript } from '../support/processes/run-script.js';

const MAX_EXIT_DELAY_MS = 200;

it('leaves no timer and no connection that keeps the process alive', async () => {
  const database = await createTestDatabase();

  const ended = await runScript(new URL('run-task-and-stop.ts', import.meta.url), [database.url]);

  expect(ended).toMatchObject({ code: 0, output: expect.stringMatching(/^exited after \d+ ms\n$/) });
  expect(Number(/\d+/.exec(ended.output)?.[0])).toBeLessThan(MAX_EXIT_DELAY_MS);
  await database.drop();
});
