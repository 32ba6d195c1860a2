import { randomUUID } from 'node:crypto';
import { chown, readFile, rename, writeFile } from 'node:fs/promises';
import { errorCodeOf } from './error-code.js';
import type { OsUser } from './run-tool.js';

/** The file's text, or null when there is no such file. */
export async function readFileIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Writes a file that only the server's account may read; a reader never sees half of it. */
export async function writePrivateFile(path: string, text: string, account: OsUser | null): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  if (account) await chown(unfinished, account.uid, account.gid);
  await rename(unfinished, path);
}

export function hasErrorCode(error: unknown, code: string): boolean {
  return errorCodeOf(error) === code;
}
