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
/** The other process compiles its imports, which takes long on a busy machine. */
const TIMEOUT_MS = 300_000;

let folder: string;
let acquired: DataFolderLock[];
let processes: TestProcess[];

beforeEach(async () => {
  folder = await createTemporaryFolder();
  [acquired, processes] = [[], []];
});

afterEach(async () => {
  for (const { release } of acquired) await release();
  for (const each of processes) {
    each.send('SIGKILL');
    await each.waitForExit();
  }
  await removeFolder(folder);
});

async function acquire(dataFolder = folder): Promise<DataFolderLock | null> {
  const lock = await acquireDataFolderLock(dataFolder);
  if (lock !== null) acquired.push(lock);
  return lock;
}

/** Starts another process that tries to acquire the lock. Resolves with it after its output. */
async function startRival(outcome: 'owned' | 'refused'): Promise<TestProcess> {
  const rival = startProcess([...RUN_TYPESCRIPT, OWN_AND_STAY, folder], {});
  processes.push(rival);
  await rival.waitForOutput(outcome);
  return rival;
}

describe('DataFolderLock', () => {
  it('is acquired by one at a time, and again when released', async () => {
    expect(await isDataFolderLocked(folder)).toBe(false);
    const first = await acquire();
    expect(first).not.toBeNull();
    expect(await isDataFolderLocked(folder)).toBe(true);
    expect(await acquire()).toBeNull();
    expect(await isDataFolderLocked(folder)).toBe(true);

    await first?.release();
    expect(await isDataFolderLocked(folder)).toBe(false);
    expect(await acquire()).not.toBeNull();
  });

  it(
    'is acquired by exactly one of many concurrent processes',
    async () => {
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => acquire()));
      expect(outcomes.filter((lock) => lock !== null)).toHaveLength(1);
      await startRival('refused');
    },
    TIMEOUT_MS,
  );

  it(
    'is released when its process is killed',
    async () => {
      const owner = await startRival('owned');
      expect(await isDataFolderLocked(folder)).toBe(true);
      expect(await acquire()).toBeNull();

      owner.send('SIGKILL');
      await owner.waitForExit();
      expect(await isDataFolderLocked(folder)).toBe(false);
      expect(await acquire()).not.toBeNull();
    },
    TIMEOUT_MS,
  );

  it('is acquired while others check whether it is held', async () => {
    for (let round = 0; round < 20; round += 1) {
      const checks = Promise.all(Array.from({ length: 20 }, () => isDataFolderLocked(folder)));
      const lock = await acquire();
      expect(lock).not.toBeNull();
      await checks;
      await lock?.release();
    }
  });

  it('is the only file in the folder, which no other user can open', async () => {
    await acquire();
    expect(await readdir(folder)).toEqual(['service.lock']);
    expect((await stat(join(folder, 'service.lock'))).mode & 0o777).toBe(0o600);
  });

  it('is acquired in a folder with a long and unusual name', async () => {
    const deep = join(folder, 'with space', 'naïve ?#%41', 'd'.repeat(150));
    await mkdir(deep, { recursive: true });
    expect(await acquire(deep)).not.toBeNull();
    expect(await isDataFolderLocked(deep)).toBe(true);
  });

  it('throws with the reason when the file cannot be used', async () => {
    const file = join(folder, 'service.lock');
    await mkdir(file);
    await chmod(folder, 0o711);
    await expect(acquire()).rejects.toThrow(`The lock of the data folder, ${file}, cannot be used (`);

    const other = join(folder, 'other');
    await mkdir(other);
    await writeFile(join(other, 'service.lock'), 'not a lock');
    await expect(acquire(other)).rejects.toThrow(
      /service\.lock, cannot be used \(file is not a database\)\. Start Convene as the user/,
    );
  });
});
