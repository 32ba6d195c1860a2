import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../src/database/embedded/system/free-port.js';
import { RUN_TYPESCRIPT, startProcess, type TestProcess } from '../support/processes/test-process.js';
import { waitUntil } from '../support/wait-until.js';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

interface LogLine {
  readonly pid: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly workerPid?: number;
  readonly delayMs?: number;
}

/** A service of two worker processes. */
export interface WorkerService {
  readonly process: TestProcess;
  readonly port: number;
  readonly url: string;
  logLines(): LogLine[];
  /** The workers that have listened, those that have ended included, in the order in which they listened. */
  workerPids(): number[];
}

/** Starts the service as it is started in production. Does not wait until it listens. */
export async function startWorkers(
  settings: Readonly<Record<string, string>>,
  givenPort?: number,
): Promise<WorkerService> {
  const port = givenPort ?? (await findFreePort());
  const process = startProcess([...RUN_TYPESCRIPT, MAIN], {
    WEB_CONCURRENCY: '2',
    PORT: String(port),
    RATE_LIMITS: 'off',
    ...settings,
  });
  const logLines = (): LogLine[] => process.output().split('\n').filter(isLogLine).map(parseLogLine);
  return {
    process,
    port,
    url: `http://127.0.0.1:${port}`,
    logLines,
    workerPids: () =>
      logLines()
        .filter(isListening)
        .map(({ pid }) => pid),
  };
}

/** The log of a worker may follow the greeting of the primary. */
export async function waitUntilListening({ process, workerPids }: WorkerService): Promise<void> {
  await process.waitForOutput('Convene serves on');
  await waitUntil('both workers have logged that they listen', () => workerPids().length === 2);
}

/** Kills a worker and returns the process id of its replacement. */
export async function waitForReplacement({ workerPids }: WorkerService, of: number): Promise<number> {
  const before = workerPids().length;
  process.kill(of, 'SIGKILL');
  await waitUntil('a replacement listens', () => workerPids().length > before);
  return workerPids().at(-1) ?? 0;
}

/** Whether the process exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function isLogLine(line: string): boolean {
  return line.startsWith('{') && line.endsWith('}');
}

function parseLogLine(line: string): LogLine {
  return JSON.parse(line) as LogLine;
}

function isListening({ msg }: LogLine): boolean {
  return msg.startsWith('Server listening');
}
