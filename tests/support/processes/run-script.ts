import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { RUN_TYPESCRIPT } from './test-process.js';

/** The exit of a process and its output. */
export interface ProcessResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** For processes that hang, not for slow ones. */
const TIMEOUT_MS = 120_000;

/** Runs a TypeScript file as a separate process to its end, and kills it after the time limit. */
export async function runScript(
  script: URL,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<ProcessResult> {
  const child = spawn(process.execPath, [...RUN_TYPESCRIPT, fileURLToPath(script), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return { code: child.exitCode, signal: child.signalCode, output };
}
