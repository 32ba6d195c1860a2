import { expect, it } from '@jest/globals';
import { createTestDatabase } from '../support/database/test-database.js';
import { runScript } from '../support/processes/run-script.js';

const A_MOMENT_MS = 200;

it('leaves no timer and no connection behind that would keep the process alive', async () => {
  const database = await createTestDatabase();

  const ended = await runScript(new URL('work-and-stop.ts', import.meta.url), [database.url]);

  expect(ended).toMatchObject({ code: 0, output: expect.stringMatching(/^lived on for \d+ ms\n$/) });
  expect(Number(/\d+/.exec(ended.output)?.[0])).toBeLessThan(A_MOMENT_MS);
  await database.drop();
});
