import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readFileIfExists } from '../system/files.js';
import { runTool } from '../system/run-tool.js';
import type { ServerLogger } from '../system/server-logger.js';

/** What a server writes about itself into its data directory (PostgreSQL's `postmaster.pid`). */
export interface PidFile {
  readonly pid: number;
  readonly ready: boolean;
}

const STATUS_LINE = 7;

export async function readPidFile(cluster: string): Promise<PidFile | null> {
  const text = await readFileIfExists(pathIn(cluster));
  if (text === null) return null;
  const lines = text.split('\n');
  return { pid: Number(lines[0]), ready: lines[STATUS_LINE]?.trim() === 'ready' };
}

/**
 * The process that serves this data directory now, or null.
 *
 * The number in the file is believed only if that process was started on this very directory: numbers are used again,
 * in containers almost at once.
 */
export async function findRunningPostmaster(cluster: string): Promise<number | null> {
  const file = await readPidFile(cluster);
  return file && (await isServingCluster(file.pid, cluster)) ? file.pid : null;
}

/** Whether the process was started as `postgres -D <cluster> …`; a dead one that nobody has reaped was not. */
export async function isServingCluster(pid: number, cluster: string): Promise<boolean> {
  return `${await commandLine(pid)} `.includes(` -D ${cluster} `);
}

/**
 * Removes the file of a server that is gone when its number now belongs to another program, or to its own remains.
 *
 * PostgreSQL clears up after a crash by itself, but takes any process of that number for the old server: also one that
 * is dead and waits to be reaped, as it may for ever in a container.
 */
export async function removeStalePidFile(cluster: string, log: ServerLogger): Promise<void> {
  const file = await readPidFile(cluster);
  if (!file || !isAlive(file.pid) || (await isServingCluster(file.pid, cluster))) return;
  log.info(`The last embedded PostgreSQL did not end cleanly; the process number ${file.pid} is no longer its own.`);
  await rm(pathIn(cluster), { force: true });
}

function pathIn(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function commandLine(pid: number): Promise<string> {
  try {
    if (process.platform !== 'linux') return await runTool('ps', ['-o', 'command=', '-p', String(pid)]);
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
