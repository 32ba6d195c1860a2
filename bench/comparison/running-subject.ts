import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isRightBody } from './load.js';
import type { Exchange, Subject } from './subject.js';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;

/** A started program. Subjects with the same port share one process. */
export interface RunningSubject {
  readonly pid: number;
  /** Milliseconds from its start to its first right answer. */
  readonly startMs: number;
  stop(): Promise<void>;
}

export async function startSubject({ name, command, environment, port, exchanges }: Subject): Promise<RunningSubject> {
  const started = performance.now();
  const child = spawn(process.execPath, [...command], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
  const { me } = exchanges;
  while (me !== undefined && (await askOnce(port, me, 1)) !== null) {
    if (child.exitCode !== null || performance.now() - started > START_LIMIT_MS) {
      child.kill('SIGKILL');
      throw new Error(`${name} did not start: ${errors}`);
    }
    await delay(5);
  }
  return { pid: child.pid ?? 0, startMs: performance.now() - started, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await exited;
  clearTimeout(timer);
}

/** @returns null for a right answer, otherwise a description of the wrong one */
export async function askOnce(port: number, exchange: Exchange, i: number): Promise<string | null> {
  const { method = 'GET', path, headers = {}, body } = exchange.request(i);
  try {
    const response = await fetch(`http://127.0.0.1:${String(port)}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return response.status === 200 && isRightBody(exchange, text, i)
      ? null
      : `${String(response.status)} ${text.slice(0, 200)}`;
  } catch (error) {
    return String(error);
  }
}
