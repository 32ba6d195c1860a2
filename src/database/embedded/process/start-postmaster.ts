import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, rename } from 'node:fs/promises';
import { pollUntil } from '../../../async/poll.js';
import { readPidFile } from '../files/pid-file.js';
import type { ServerPaths } from '../files/server-paths.js';
import { describeFullDisk, isDiskFull } from '../system/disk-full.js';
import { EmbeddedServerError } from '../system/embedded-server-error.js';
import { hasErrorCode, readFileIfExists } from '../system/files.js';
import { TOOL_ENVIRONMENT } from '../system/run-tool.js';

/** Recovery after a crash is part of a start, and may take a while on a slow disk. */
const START_TIMEOUT_MS = 120_000;
const SHOWN_LOG_LINES = 20;

interface StartedProcess {
  readonly child: ChildProcess;
  readonly pid: number;
}

/** A running server that is a child of this process. */
export interface Postmaster {
  readonly pid: number;
  /** From now on its end is expected. */
  markStopping(): void;
}

/**
 * Starts the server and waits until it takes connections.
 *
 * It is put into a session of its own: Ctrl-C in a terminal goes to every process of the service at once, and would
 * take the database away while the service is still finishing its requests. When this process ends without having
 * stopped it, the server is told to stop all the same, as far as that is possible (not after SIGKILL).
 *
 * @throws EmbeddedServerError with the server's own last words
 */
export async function startPostmaster(
  program: string,
  args: readonly string[],
  home: ServerPaths,
  onUnexpectedExit: (logTail: string) => void,
): Promise<Postmaster> {
  const { child, pid } = await spawnServer(program, args, home);
  const isDecided = async () => hasEnded(child) || (await takesConnections(pid, home));
  const inTime = await pollUntil(isDecided, START_TIMEOUT_MS);
  if (inTime && !hasEnded(child)) return supervise({ child, pid }, home, onUnexpectedExit);
  child.kill('SIGQUIT');
  throw new EmbeddedServerError(await failure(home, inTime));
}

async function spawnServer(program: string, args: readonly string[], home: ServerPaths): Promise<StartedProcess> {
  await keepLastLog(home.logFile);
  const log = await open(home.logFile, 'w', 0o600);
  try {
    const child = spawn(program, args, {
      ...home.account,
      cwd: '/',
      env: TOOL_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn');
    child.unref();
    if (child.pid === undefined) throw new EmbeddedServerError(`${program} cannot be run.`);
    return { child, pid: child.pid };
  } finally {
    await log.close();
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function takesConnections(pid: number, home: ServerPaths): Promise<boolean> {
  const file = await readPidFile(home.cluster);
  return file?.pid === pid && file.ready;
}

function supervise(
  { child, pid }: StartedProcess,
  home: ServerPaths,
  onUnexpectedExit: (logTail: string) => void,
): Postmaster {
  const stopWithUs = () => {
    child.kill('SIGINT');
  };
  const onExit = () => {
    process.off('exit', stopWithUs);
    void logTail(home).then(onUnexpectedExit);
  };
  process.once('exit', stopWithUs);
  child.once('exit', onExit);
  return {
    pid,
    markStopping: () => {
      process.off('exit', stopWithUs);
      child.off('exit', onExit);
    },
  };
}

async function keepLastLog(logFile: string): Promise<void> {
  try {
    await rename(logFile, `${logFile}.previous`);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
}

async function failure(home: ServerPaths, inTime: boolean): Promise<string> {
  const tail = await logTail(home);
  if (isDiskFull(tail)) return describeFullDisk(home.folder);
  const what = inTime
    ? 'PostgreSQL did not start'
    : `PostgreSQL was not ready after ${START_TIMEOUT_MS / 1000} seconds`;
  return (
    `${what} on ${home.cluster}. Its log (${home.logFile}) ends with:\n${tail}\n` +
    'Mend what it complains of, or set DATABASE_URL to a PostgreSQL of your own.'
  );
}

async function logTail(home: ServerPaths): Promise<string> {
  const log = (await readFileIfExists(home.logFile)) ?? '';
  return log.trim().split('\n').slice(-SHOWN_LOG_LINES).join('\n');
}
