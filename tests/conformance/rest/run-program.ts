import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ProgramResult {
  readonly code: number | null;
  readonly output: string;
}

interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs a program to its end, and collects what it prints. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { environment = {}, cwd }: RunOptions = {},
): Promise<ProgramResult> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: Buffer.concat(chunks).toString() };
}
