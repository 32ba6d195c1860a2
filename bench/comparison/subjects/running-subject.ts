import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { BenchError } from '../bench-error.js';
import { askOnce } from '../load/ask-once.js';
import type { Subject } from './subject.js';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;
const ASK_EVERY_MS = 5;

/** A started program. */
export interface RunningSubject {
  readonly pid: number;
  /** Milliseconds from its start to its first right answer. */
  readonly startMs: number;
  stop(): Promise<void>;
}

export type StartableSubject = Pick<Subject, 'name' | 'command' | 'environment' | 'folder' | 'port' | 'exchanges'>;

/** @param signal ends a start that is under way */
export async function startSubject(subject: StartableSubject, signal?: AbortSignal): Promise<RunningSubject> {
  const { name, command, environment, folder } = subject;
  const started = performance.now();
  const child = spawn(process.execPath, [...command], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
  let wrong = await firstAnswer(subject);
  while (wrong !== null) {
    if (hasEnded(child) || signal?.aborted === true || performance.now() - started > START_LIMIT_MS) {
      await stop(child);
      throw new BenchError(`${name} did not start: ${errors.trim() === '' ? wrong : errors.trim()}`);
    }
    await delay(ASK_EVERY_MS);
    wrong = await firstAnswer(subject);
  }
  return { pid: child.pid ?? 0, startMs: performance.now() - started, stop: () => stop(child) };
}

/** @returns null for a right answer to the first operation of the subject, otherwise a description */
async function firstAnswer({ port, exchanges }: StartableSubject): Promise<string | null> {
  const exchange = exchanges.me ?? Object.values(exchanges)[0];
  return exchange === undefined ? null : askOnce(port, exchange, 1);
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await exited;
  clearTimeout(timer);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
