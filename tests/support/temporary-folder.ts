import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopOrphan } from '../../src/database/embedded/orphan.js';
import { isOwned, ownershipSocket } from '../../src/database/embedded/ownership.js';
import { possibleHomes } from '../../src/database/embedded/server-home.js';

const PREFIX = 'convene-test-';
const LEFT_BEHIND_AFTER_MS = 60_000;

/** A new folder that the account `postgres` can pass through, which matters when the tests run as root. */
export async function makeTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  await chmod(folder, 0o711);
  return folder;
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Clears up after test runs that were killed: their servers and their folders. A folder in use or just made is left alone. */
export async function removeLeftoverFolders(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    if (await isLeftover(folder)) await stopAndRemove(folder);
  }
}

async function isLeftover(folder: string): Promise<boolean> {
  const { mtimeMs } = await stat(folder);
  return Date.now() - mtimeMs > LEFT_BEHIND_AFTER_MS && !(await isOwned(ownershipSocket(folder)));
}

async function stopAndRemove(folder: string): Promise<void> {
  for (const home of possibleHomes(folder)) await stopOrphan(home, { info: () => undefined, warn: () => undefined });
  await removeFolder(folder);
}
