import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '../../../errors/index.js';
import { errorCodeOf } from '../system/error-code.js';
import { hasErrorCode } from '../system/files.js';

const FOLDER_MODE = 0o755;
/** More than a file system stores without a block of its own. */
const PROBE_BYTES = 4_096;

/**
 * Creates the data folder when it is missing, and writes and removes a file there.
 *
 * @returns the real path of the folder
 * @throws OperatorError when the folder cannot be used, with the reason
 */
export async function prepareDataFolder(dataDir: string): Promise<string> {
  try {
    await makeFolder(dataDir);
    const folder = await realpath(dataDir);
    await probeFolder(folder);
    return folder;
  } catch (error) {
    throw new OperatorError(describeDataFolderError(dataDir, error), { cause: error });
  }
}

/** Creates the missing parents too. The recursive `mkdir` of Node 24 reports a read-only file system as ENOENT. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: FOLDER_MODE });
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') && dirname(path) !== path) {
      await makeFolder(dirname(path));
      await makeFolder(path);
    } else if (!(await isFolder(path))) throw error;
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Writes and removes a file in the folder. */
export async function probeFolder(folder: string): Promise<void> {
  const file = join(folder, `.probe-${randomUUID()}`);
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES));
  } finally {
    await rm(file, { force: true });
  }
}

/** States in one sentence why the data folder cannot be used, and the remedy. */
export function describeDataFolderError(folder: string, error: unknown): string {
  switch (errorCodeOf(error)) {
    case 'EEXIST':
    case 'ENOTDIR':
      return `The data folder ${folder} is a file or lies below one: name a folder with DATA_DIR.`;
    case 'EACCES':
    case 'EPERM':
      return `This user may not write in the data folder ${folder}: change its owner, or name another with DATA_DIR.`;
    case 'EROFS':
      return `The data folder ${folder} is on a read-only file system: name another one with DATA_DIR.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk of the data folder ${folder} is full: free some space, or name another folder with DATA_DIR.`;
    case 'ENAMETOOLONG':
      return `The path of the data folder ${folder} is too long: name a shorter one with DATA_DIR.`;
    default:
      return `The data folder ${folder} cannot be used (${String(error)}): name another one with DATA_DIR.`;
  }
}
