import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TaskHandler } from '../../src/jobs/index.js';
import { LEASE_MS } from '../../src/jobs/tasks/run-task.js';
import { effectsOf, insertEffect, openJobsWorld, type JobsWorld } from '../jobs/jobs-world.js';
import { runScript } from '../support/run-script.js';
import { makeTemporaryFolder, removeFolder } from '../support/temporary-folder.js';

let world: JobsWorld;
let folder: string;

beforeEach(async () => {
  [world, folder] = await Promise.all([
    openJobsWorld({ backend: 'postgres', mongodbUri: null }),
    makeTemporaryFolder(),
  ]);
  // The doomed process goes by the real clock.
  world.clock.moveTo(new Date());
});
afterEach(async () => {
  await world.close();
  await removeFolder(folder);
});

async function dieAt(name: string): Promise<{ id: string; effectFile: string }> {
  const effectFile = join(folder, name);
  const id = await world.enqueue({ name });
  const ended = await runScript(new URL('work-then-die.ts', import.meta.url), [world.url, effectFile]);
  expect(ended).toMatchObject({ signal: 'SIGKILL' });
  expect(await world.task(id)).toMatchObject({ status: 'RUNNING', attempts: 1 });
  world.clock.advance(2 * LEASE_MS);
  return { id, effectFile };
}

describe('a worker that is killed at its work', () => {
  it('leaves nothing of an effect in the database, which another worker then brings about once', async () => {
    const { id } = await dieAt('write_a_row');
    expect(await effectsOf(world, [id])).toEqual([0]);

    const handler: TaskHandler = {
      name: 'write_a_row',
      async runInTransaction(em, task) {
        await insertEffect(em, task.id);
        return 'DONE';
      },
    };
    await world.start([handler]);

    await world.ends(id, 'DONE');
    expect(await effectsOf(world, [id])).toEqual([1]);
  });

  it('leaves an effect outside the database to be brought about again, under the same id', async () => {
    const { id, effectFile } = await dieAt('write_a_file');
    expect(await readFile(effectFile, 'utf8')).toBe(id);

    const again: string[] = [];
    await world.start([
      {
        name: 'write_a_file',
        run: async (task) => {
          again.push(task.id);
          return 'DONE';
        },
      },
    ]);

    await world.ends(id, 'DONE');
    expect(again).toEqual([id]);
  });
});
