import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { describeDataFolderError, probeFolder } from '../../database/embedded/files/data-folder.js';
import { hasErrorCode } from '../../database/embedded/system/files.js';
import type { CheckResult } from './check-result.js';

/** An embedded database begins with 40 MiB and reserves up to 1 GiB for its log. */
const LITTLE_SPACE_MIB = 256;
const BYTES_PER_MIB = 1_048_576;
const subject = 'Data folder';

/** Checks that the current OS user can write in the data folder. The first start creates a missing folder. */
export async function checkDataFolder(dataDir: string): Promise<CheckResult> {
  const folder = resolve(dataDir);
  try {
    const existing = await nearestExisting(folder);
    await probeFolder(existing);
    return describeSpace(existing === folder ? folder : `${folder}, to be made`, await freeMebibytes(existing));
  } catch (error) {
    return { subject, state: 'error', text: describeDataFolderError(folder, error) };
  }
}

async function nearestExisting(path: string): Promise<string> {
  try {
    await stat(path);
    return path;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return nearestExisting(dirname(path));
    throw error;
  }
}

async function freeMebibytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return Math.floor((bavail * bsize) / BYTES_PER_MIB);
}

function describeSpace(folder: string, freeMiB: number): CheckResult {
  if (freeMiB >= LITTLE_SPACE_MIB) return { subject, state: 'ok', text: folder };
  return { subject, state: 'warning', text: `${folder}: only ${freeMiB} MiB are free` };
}
