import { randomUUID } from 'node:crypto';
import { chown, link, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pollUntil } from '../../../async/poll.js';
import { isError, isRecord } from '../../../errors/index.js';
import { EmbeddedServerError } from '../system/embedded-server-error.js';
import { hasErrorCode } from '../system/files.js';
import { isRoot } from '../system/os-user.js';

/** The right to run the server of a data folder. At most one process on the machine holds it. */
export interface DataFolderLock {
  release(): Promise<void>;
}

const LOCK_FILE = 'service.lock';
/** `isDataFolderLocked` of another process holds a shared lock for a moment. */
const WAIT_FOR_PROBES_MS = 500;
/** The transaction stays open while the lock is held, and never writes. */
const TAKE_LOCK = 'pragma journal_mode = memory; begin exclusive';
const TRY_LOCK = 'select count(*) from sqlite_schema';
/** The low byte of SQLite's error codes. */
const SQLITE_BUSY = 5;

/**
 * Locks a data folder for this process.
 *
 * The lock is an exclusive lock of the kernel on a file in the folder, taken by SQLite, because Node has no file locks.
 * The file stays empty. The kernel releases the lock when the process ends, so no stale lock remains. Only the owner of
 * the folder can open the file. The lock also holds between containers of one machine that share the folder.
 *
 * @returns null when another process holds the lock
 * @throws EmbeddedServerError when this user may not open the file, or the file system has no locks
 */
export async function acquireDataFolderLock(dataFolder: string): Promise<DataFolderLock | null> {
  const file = join(dataFolder, LOCK_FILE);
  await ensureFile(file, dataFolder);
  const lock = await openFile(file, { readOnly: false });
  try {
    if (await pollUntil(async () => succeeds(lock, file, TAKE_LOCK), WAIT_FOR_PROBES_MS)) return toDataFolderLock(lock);
  } catch (error) {
    lock.close();
    throw error;
  }
  lock.close();
  return null;
}

function toDataFolderLock(lock: DatabaseSync): DataFolderLock {
  return {
    release: async () => {
      if (lock.isOpen) lock.close();
    },
  };
}

/**
 * Whether a process holds the lock of the data folder.
 *
 * @throws EmbeddedServerError when this user may not open the file
 */
export async function isDataFolderLocked(dataFolder: string): Promise<boolean> {
  const file = join(dataFolder, LOCK_FILE);
  if (!(await exists(file))) return false;
  const probe = await openFile(file, { readOnly: true });
  try {
    return !succeeds(probe, file, TRY_LOCK);
  } finally {
    probe.close();
  }
}

/**
 * Creates the file for the owner of the data folder, also when root starts the service.
 *
 * The file gets its name by `link()`, after it is closed. Reason: closing a file releases all POSIX locks of the
 * process on it.
 */
async function ensureFile(file: string, dataFolder: string): Promise<void> {
  if (await exists(file)) return;
  const unfinished = `${file}.${randomUUID()}`;
  try {
    await writeFile(unfinished, '', { mode: 0o600 });
    if (isRoot()) await giveToOwner(dataFolder, unfinished);
    await link(unfinished, file);
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw cannotUse(file, error);
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function giveToOwner(dataFolder: string, file: string): Promise<void> {
  const { uid, gid } = await stat(dataFolder);
  await chown(file, uid, gid);
}

/** Loads SQLite when it is needed, because a service with DATABASE_URL also runs on a Node without it. */
async function openFile(file: string, options: { readonly readOnly: boolean }): Promise<DatabaseSync> {
  const { DatabaseSync } = await import('node:sqlite');
  try {
    return new DatabaseSync(file, options);
  } catch (cause) {
    throw cannotUse(file, cause);
  }
}

/** @returns false when another process holds the lock */
function succeeds(lock: DatabaseSync, file: string, sql: string): boolean {
  try {
    lock.exec(sql);
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw cannotUse(file, error);
  }
}

function isBusy(error: unknown): boolean {
  return isRecord(error) && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw cannotUse(file, error);
  }
}

function cannotUse(file: string, cause: unknown): EmbeddedServerError {
  const reason = isError(cause) ? cause.message : String(cause);
  return new EmbeddedServerError(
    `The lock of the data folder, ${file}, cannot be used (${reason}). ` +
      'Start Convene as the user to whom the folder belongs, give it a data folder of its own (DATA_DIR), ' +
      'or set DATABASE_URL.',
    { cause },
  );
}
