import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  acquireDataFolderLock,
  isDataFolderLocked,
  type DataFolderLock,
} from '../../../../src/database/embedded/files/data-folder-lock.js';
import { createTemporaryFolder, removeFolder } from '../../../support/database/temporary-folder.js';
import { RUN_TYPESCRIPT, startProcess, type TestProcess } from '../../../support/processes/test-process.js';

const OWN_AND_STAY = fileURLToPath(new URL('own-and-stay.ts', import.meta.url));
/** A process of its own compiles what it imports, which takes its time on a busy machine. */
const LIMIT_MS = 300_000;

let folder: string;
let taken: DataFolderLock[];
let processes: TestProcess[];

beforeEach(async () => {
  folder = await createTemporaryFolder();
  [taken, processes] = [[], []];
});

afterEach(async () => {
  for (const { release } of taken) await release();
  for (const each of processes) {
    each.send('SIGKILL');
    await each.waitForExit();
  }
  await removeFolder(folder);
});

async function take(dataFolder = folder): Promise<DataFolderLock | null> {
  const ownership = await acquireDataFolderLock(dataFolder);
  if (ownership !== null) taken.push(ownership);
  return ownership;
}

/** Another process that wants the folder, once it has said what came of it. */
async function startRival(outcome: 'owned' | 'refused'): Promise<TestProcess> {
  const rival = startProcess([...RUN_TYPESCRIPT, OWN_AND_STAY, folder], {});
  processes.push(rival);
  await rival.waitForOutput(outcome);
  return rival;
}

describe('the ownership of a data folder', () => {
  it('goes to one at a time, and to the next once it is released', async () => {
    expect(await isDataFolderLocked(folder)).toBe(false);
    const first = await take();
    expect(first).not.toBeNull();
    expect(await isDataFolderLocked(folder)).toBe(true);
    expect(await take()).toBeNull();
    expect(await isDataFolderLocked(folder)).toBe(true);

    await first?.release();
    expect(await isDataFolderLocked(folder)).toBe(false);
    expect(await take()).not.toBeNull();
  });

  it(
    'goes to exactly one of many who want it at once',
    async () => {
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => take()));
      expect(outcomes.filter((ownership) => ownership !== null)).toHaveLength(1);
      await startRival('refused');
    },
    LIMIT_MS,
  );

  it(
    'ends with the process that has it, also when that is killed',
    async () => {
      const owner = await startRival('owned');
      expect(await isDataFolderLocked(folder)).toBe(true);
      expect(await take()).toBeNull();

      owner.send('SIGKILL');
      await owner.waitForExit();
      expect(await isDataFolderLocked(folder)).toBe(false);
      expect(await take()).not.toBeNull();
    },
    LIMIT_MS,
  );

  it('is not disturbed by those who only ask who has it', async () => {
    for (let round = 0; round < 20; round += 1) {
      const asked = Promise.all(Array.from({ length: 20 }, () => isDataFolderLocked(folder)));
      const ownership = await take();
      expect(ownership).not.toBeNull();
      await asked;
      await ownership?.release();
    }
  });

  it('is a file that no other user can open, and leaves nothing else in the folder', async () => {
    await take();
    expect(await readdir(folder)).toEqual(['service.lock']);
    expect((await stat(join(folder, 'service.lock'))).mode & 0o777).toBe(0o600);
  });

  it('works in folders with long and unusual names', async () => {
    const deep = join(folder, 'with space', 'naïve ?#%41', 'd'.repeat(150));
    await mkdir(deep, { recursive: true });
    expect(await take(deep)).not.toBeNull();
    expect(await isDataFolderLocked(deep)).toBe(true);
  });

  it('is refused with the reason where the file cannot be used', async () => {
    const file = join(folder, 'service.lock');
    await mkdir(file);
    await chmod(folder, 0o711);
    await expect(take()).rejects.toThrow(`The lock of the data folder, ${file}, cannot be used (`);

    const other = join(folder, 'other');
    await mkdir(other);
    await writeFile(join(other, 'service.lock'), 'not a lock');
    await expect(take(other)).rejects.toThrow(
      /service\.lock, cannot be used \(file is not a database\)\. Start Convene as the user/,
    );
  });
});
