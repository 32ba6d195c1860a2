import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFileIfExists, writePrivateFile } from '../system/files.js';
import { runTool } from '../system/run-tool.js';
import type { ServerLogger } from '../system/server-logger.js';
import type { ServerPaths } from './server-paths.js';

/** The parts of PostgreSQL's `postmaster.pid` that the service reads. */
export interface PidFile {
  readonly pid: number;
  readonly ready: boolean;
}

const STATUS_LINE = 7;
/** Above the limits of Linux (4,194,304) and macOS (99,998). */
const IMPOSSIBLE_PID = 2_147_483_647;

export async function readPidFile(cluster: string): Promise<PidFile | null> {
  const text = await readFileIfExists(pathIn(cluster));
  if (text === null) return null;
  const lines = text.split('\n');
  return { pid: Number(lines[0]), ready: lines[STATUS_LINE]?.trim() === 'ready' };
}

/**
 * Finds the process that serves this data directory.
 *
 * The number in the file counts only when that process was started on this directory, because process numbers repeat.
 *
 * @returns its number; null when no process serves the directory
 */
export async function findRunningPostmaster(cluster: string): Promise<number | null> {
  const file = await readPidFile(cluster);
  return file && (await isServingCluster(file.pid, cluster)) ? file.pid : null;
}

/** Whether the process runs as `postgres -D <cluster> …`. False for a zombie, which has no command line. */
export async function isServingCluster(pid: number, cluster: string): Promise<boolean> {
  return `${await commandLine(pid)} `.includes(` -D ${cluster} `);
}

/**
 * Marks the file as stale, unless the server runs. Requires the lock of the data folder.
 *
 * PostgreSQL recovers from a crash by itself, but takes a process of the same number for the old server, a zombie
 * included. In a container, numbers are the same after each start. The file stays, because PostgreSQL detects remaining
 * server processes by the shared memory that it names.
 */
export async function markPidFileStale({ cluster, osUser }: ServerPaths, log: ServerLogger): Promise<void> {
  const file = await readPidFile(cluster);
  if (file === null || file.pid === IMPOSSIBLE_PID || (await isServingCluster(file.pid, cluster))) return;
  log.info(`The embedded PostgreSQL (process ${file.pid}) did not stop cleanly; it recovers now`);
  const text = await readFile(pathIn(cluster), 'utf8');
  await writePrivateFile(pathIn(cluster), text.replace(/^.*/, String(IMPOSSIBLE_PID)), osUser);
}

function pathIn(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

async function commandLine(pid: number): Promise<string> {
  try {
    if (process.platform !== 'linux') return await runTool('ps', ['-o', 'command=', '-p', String(pid)]);
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
