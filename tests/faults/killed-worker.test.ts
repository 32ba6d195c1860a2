import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TaskHandler } from '../../src/jobs/index.js';
import { LEASE_MS } from '../../src/jobs/tasks/run-task.js';
import { countEffects, createJobsFixture, insertEffect, type JobsFixture } from '../jobs/jobs-fixture.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';
import { runScript } from '../support/processes/run-script.js';

let fixture: JobsFixture;
let folder: string;

beforeEach(async () => {
  [fixture, folder] = await Promise.all([
    createJobsFixture({ backend: 'postgres', mongodbUri: null }),
    createTemporaryFolder(),
  ]);
  // The killed process uses the real clock.
  fixture.clock.moveTo(new Date());
});
afterEach(async () => {
  await fixture.close();
  await removeFolder(folder);
});

async function dieAt(name: string): Promise<{ id: string; effectFile: string }> {
  const effectFile = join(folder, name);
  const id = await fixture.enqueue({ name });
  const ended = await runScript(new URL('work-then-die.ts', import.meta.url), [fixture.url, effectFile]);
  expect(ended).toMatchObject({ signal: 'SIGKILL' });
  expect(await fixture.task(id)).toMatchObject({ status: 'RUNNING', attempts: 1 });
  fixture.clock.advance(2 * LEASE_MS);
  return { id, effectFile };
}

describe('a worker that is killed during a task', () => {
  it('leaves no database effect, which another worker then produces once', async () => {
    const { id } = await dieAt('write_a_row');
    expect(await countEffects(fixture, [id])).toEqual([0]);

    const handler: TaskHandler = {
      name: 'write_a_row',
      async runInTransaction(em, task) {
        await insertEffect(em, task.id);
        return 'DONE';
      },
    };
    await fixture.start([handler]);

    await fixture.waitForStatus(id, 'DONE');
    expect(await countEffects(fixture, [id])).toEqual([1]);
  });

  it('leaves an external effect to be repeated with the same id', async () => {
    const { id, effectFile } = await dieAt('write_a_file');
    expect(await readFile(effectFile, 'utf8')).toBe(id);

    const again: string[] = [];
    await fixture.start([
      {
        name: 'write_a_file',
        run: async (task) => {
          again.push(task.id);
          return 'DONE';
        },
      },
    ]);

    await fixture.waitForStatus(id, 'DONE');
    expect(again).toEqual([id]);
  });
});
