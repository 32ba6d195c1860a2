import { randomUUID } from 'node:crypto';
import { chown, readFile, rename, writeFile } from 'node:fs/promises';
import { errorCodeOf } from './error-code.js';
import type { OsUser } from './run-tool.js';

/** @returns null when the file does not exist */
export async function readFileIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Writes a file atomically. Only its owner can read it.
 *
 * @param osUser the owner; null for the user of this process
 */
export async function writePrivateFile(path: string, text: string, osUser: OsUser | null): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  if (osUser) await chown(unfinished, osUser.uid, osUser.gid);
  await rename(unfinished, path);
}

export function hasErrorCode(error: unknown, code: string): boolean {
  return errorCodeOf(error) === code;
}
