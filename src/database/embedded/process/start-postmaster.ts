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

/** A start includes the recovery after a crash, which takes long on a slow disk. */
const START_TIMEOUT_MS = 120_000;
const SHOWN_LOG_LINES = 20;

interface StartedProcess {
  readonly child: ChildProcess;
  readonly pid: number;
}

/** A running server that is a child of this process. */
export interface Postmaster {
  readonly pid: number;
  /** Makes its exit expected. */
  markStopping(): void;
}

/**
 * Starts the server and waits until it accepts connections.
 *
 * The server runs in a session of its own, because Ctrl-C in a terminal goes to the whole process group, and the
 * service still needs its database then. When this process exits without having stopped the server, it sends SIGINT to
 * the server, except after SIGKILL.
 *
 * @param onUnexpectedExit called with the end of the server's log when the server ends before `markStopping()`
 * @throws EmbeddedServerError with the end of the server's log when the server does not start
 */
export async function startPostmaster(
  program: string,
  args: readonly string[],
  paths: ServerPaths,
  onUnexpectedExit: (logTail: string) => void,
): Promise<Postmaster> {
  const { child, pid } = await spawnServer(program, args, paths);
  const hasStartedOrEnded = async () => hasEnded(child) || (await acceptsConnections(pid, paths));
  const inTime = await pollUntil(hasStartedOrEnded, START_TIMEOUT_MS);
  if (inTime && !hasEnded(child)) return supervise({ child, pid }, paths, onUnexpectedExit);
  child.kill('SIGQUIT');
  throw new EmbeddedServerError(await describeFailure(paths, inTime));
}

async function spawnServer(program: string, args: readonly string[], paths: ServerPaths): Promise<StartedProcess> {
  await rotateLog(paths.logFile);
  const log = await open(paths.logFile, 'w', 0o600);
  try {
    const child = spawn(program, args, {
      ...paths.osUser,
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

async function acceptsConnections(pid: number, paths: ServerPaths): Promise<boolean> {
  const file = await readPidFile(paths.cluster);
  return file?.pid === pid && file.ready;
}

function supervise(
  { child, pid }: StartedProcess,
  paths: ServerPaths,
  onUnexpectedExit: (logTail: string) => void,
): Postmaster {
  const stopWithUs = () => {
    child.kill('SIGINT');
  };
  const onExit = () => {
    process.off('exit', stopWithUs);
    void logTail(paths).then(onUnexpectedExit);
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

async function rotateLog(logFile: string): Promise<void> {
  try {
    await rename(logFile, `${logFile}.previous`);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
}

async function describeFailure(paths: ServerPaths, inTime: boolean): Promise<string> {
  const tail = await logTail(paths);
  if (isDiskFull(tail)) return describeFullDisk(paths.folder);
  const problem = inTime
    ? 'PostgreSQL did not start'
    : `PostgreSQL was not ready after ${START_TIMEOUT_MS / 1000} seconds`;
  return (
    `${problem} on ${paths.cluster}. Its log (${paths.logFile}) ends with:\n${tail}\n` +
    'Remove the cause, or set DATABASE_URL to another PostgreSQL.'
  );
}

async function logTail(paths: ServerPaths): Promise<string> {
  const log = (await readFileIfExists(paths.logFile)) ?? '';
  return log.trim().split('\n').slice(-SHOWN_LOG_LINES).join('\n');
}
