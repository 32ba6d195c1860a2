import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../wait-until.js';

/** The arguments that make Node run a TypeScript file. */
export const RUN_TYPESCRIPT = ['--import', new URL('../typescript/register.mjs', import.meta.url).href];

/** A process that runs until it receives a signal. */
export interface TestProcess {
  readonly pid: number;
  /** The output so far, of both streams. */
  output(): string;
  /**
   * Waits until the output contains `text`.
   *
   * @throws Error with the output when the process ended or took too long
   */
  waitForOutput(text: string): Promise<void>;
  send(signal: NodeJS.Signals): void;
  /** Waits until the process has exited. */
  waitForExit(): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** For processes that hang, not for slow ones. */
const OUTPUT_TIMEOUT_MS = 300_000;

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Starts a program in the project's folder, without the environment of the tests. */
export function startProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  program = process.execPath,
): TestProcess {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return {
    pid: requirePid(child),
    output: () => output,
    async waitForOutput(text) {
      await waitUntil(
        `"${text}"`,
        () => output.includes(text) || child.exitCode !== null || child.signalCode !== null,
        OUTPUT_TIMEOUT_MS,
      );
      if (!output.includes(text)) throw new Error(`the process ended without writing "${text}", but:\n${output}`);
    },
    send: (signal) => {
      child.kill(signal);
    },
    async waitForExit() {
      await closed;
      return { code: child.exitCode, signal: child.signalCode };
    },
  };
}

function requirePid({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('the process did not start');
  return pid;
}
