import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { CheckResult } from './check-result.js';

/** Checks that the current OS user can write in the data folder. The first start creates a missing folder. */
export async function checkDataFolder(dataDir: string): Promise<CheckResult> {
  const subject = 'Data folder';
  const folder = resolve(dataDir);
  if (await isWritable(folder)) return { subject, state: 'ok', text: folder };
  if (!(await exists(folder)) && (await isWritable(await nearestParent(folder))))
    return { subject, state: 'ok', text: `${folder}, to be made` };
  return {
    subject,
    state: 'error',
    text: `This user may not write in ${folder}: change its owner, or name another one with DATA_DIR.`,
  };
}

async function nearestParent(folder: string): Promise<string> {
  const parent = dirname(folder);
  return (await exists(parent)) ? parent : nearestParent(parent);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}
