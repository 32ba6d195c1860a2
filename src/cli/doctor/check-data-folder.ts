import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { CheckResult } from './check-result.js';

/** Whether this user can keep things there; a folder that is missing is made by the first start. */
export async function checkDataFolder(dataDir: string): Promise<CheckResult> {
  const about = 'Data folder';
  const folder = resolve(dataDir);
  if (await mayWriteIn(folder)) return { about, state: 'fine', text: folder };
  if (!(await exists(folder)) && (await mayWriteIn(await firstParent(folder))))
    return { about, state: 'fine', text: `${folder}, to be made` };
  return {
    about,
    state: 'wrong',
    text: `This user may not write in ${folder}: change its owner, or name another one with DATA_DIR.`,
  };
}

async function firstParent(folder: string): Promise<string> {
  const parent = dirname(folder);
  return (await exists(parent)) ? parent : firstParent(parent);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function mayWriteIn(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}
