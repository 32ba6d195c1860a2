import { chmod, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS } from '../../../src/async/durations.js';
import { isDataFolderLocked } from '../../../src/database/embedded/files/data-folder-lock.js';
import { candidateServerPaths } from '../../../src/database/embedded/files/server-paths.js';
import { stopOrphanedServer } from '../../../src/database/embedded/process/stop-orphaned-server.js';

const PREFIX = 'convene-test-';
const LEFT_BEHIND_AFTER_MS = HOUR_MS;

/** A file system in memory, in which copying a database takes a tenth of the time. */
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 * 1024 ** 3;

/** Creates a folder that the account `postgres` can traverse, which matters when the tests run as root. */
export async function createTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join((await isRoomyMemory()) ? MEMORY : tmpdir(), PREFIX));
  await chmod(folder, 0o711);
  return folder;
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Removes the servers and folders of killed test runs. A folder in use or created within the last hour is kept. */
export async function removeLeftoverFolders(): Promise<void> {
  for (const parent of [tmpdir(), MEMORY]) {
    const names = await readdir(parent).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(PREFIX))) await removeIfLeftover(join(parent, name));
  }
}

async function isRoomyMemory(): Promise<boolean> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ENOUGH_BYTES;
}

/** Another run may be removing the same folder. */
async function removeIfLeftover(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  // Folders of another user are not removed.
  if (found?.uid !== process.getuid?.()) return;
  if (!found || Date.now() - found.mtimeMs < LEFT_BEHIND_AFTER_MS || (await isDataFolderLocked(folder))) return;
  for (const home of candidateServerPaths(folder))
    await stopOrphanedServer(home, { info: () => undefined, warn: () => undefined });
  await removeFolder(folder);
}
