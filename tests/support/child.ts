import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

const LIMIT_MS = 15_000;

/** Runs a TypeScript file as a process of its own, and waits for its end; it is ended when it takes too long. */
export async function runChild(script: URL, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = spawn(process.execPath, ['--import', '@swc-node/register/esm-register', fileURLToPath(script), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return { code: child.exitCode, signal: child.signalCode, output };
}
