import { randomUUID } from 'node:crypto';
import { chown, link, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pollUntil } from '../../../async/poll.js';
import { isError, isRecord } from '../../../errors/index.js';
import { EmbeddedServerError } from '../system/embedded-server-error.js';
import { hasErrorCode } from '../system/files.js';
import { isRoot } from '../system/os-user.js';

/** The right to run the server of one data folder. At most one service on the machine has it. */
export interface DataFolderLock {
  release(): Promise<void>;
}

const LOCK_FILE = 'service.lock';
/** A command that asks who owns the folder holds a shared lock for an instant, which must not look like an owner. */
const WAIT_FOR_PROBES_MS = 500;
/** The transaction stays open for as long as the lock is held, and never writes. */
const TAKE_LOCK = 'pragma journal_mode = memory; begin exclusive';
const TRY_LOCK = 'select count(*) from sqlite_schema';
/** The low byte of SQLite's error codes. */
const SQLITE_BUSY = 5;

/**
 * Takes the ownership of a data folder. Gives null when another service has it.
 *
 * The ownership is an exclusive lock on a file in the folder. The kernel releases it with its process, however that
 * ends, so no stale lock can remain and no process number can be mistaken for another's. Only the user of the folder
 * can open the file, so no other user can take the lock. It also holds between containers that share the folder.
 *
 * Node itself has no file locks. SQLite's are those of the platform; the file stays empty.
 *
 * @throws EmbeddedServerError when this user may not open the file, or the file system has no locks
 */
export async function acquireDataFolderLock(dataFolder: string): Promise<DataFolderLock | null> {
  const file = join(dataFolder, LOCK_FILE);
  await ensureFile(file, dataFolder);
  const lock = await openFile(file, { readOnly: false });
  try {
    if (await pollUntil(async () => succeeds(lock, file, TAKE_LOCK), WAIT_FOR_PROBES_MS)) return ownershipBy(lock);
  } catch (error) {
    lock.close();
    throw error;
  }
  lock.close();
  return null;
}

function ownershipBy(lock: DatabaseSync): DataFolderLock {
  return {
    release: async () => {
      if (lock.isOpen) lock.close();
    },
  };
}

/**
 * Whether a running service owns the data folder.
 *
 * @throws EmbeddedServerError when this user may not know
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
 * Makes the file, for the user of the data folder alone, also where root starts the service for that user.
 *
 * It appears under its name when it is whole and closed. To close a file releases every lock that the same process has
 * on it, so the file is never opened here once another may have locked it.
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

/** Loaded when it is needed: a service with a PostgreSQL of its own runs on a Node without SQLite. */
async function openFile(file: string, options: { readonly readOnly: boolean }): Promise<DatabaseSync> {
  const { DatabaseSync } = await import('node:sqlite');
  try {
    return new DatabaseSync(file, options);
  } catch (cause) {
    throw cannotUse(file, cause);
  }
}

/** @returns false when another has the lock */
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
