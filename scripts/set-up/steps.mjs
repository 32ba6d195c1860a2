import { spawnSync } from 'node:child_process';

/** A failure that the message explains; printed without a stack. */
export class SetUpError extends Error {}

/** Prints one line before a step of set-up. */
export function say(sentence) {
  console.log(sentence);
}

/**
 * Runs a program to its end. Prints its standard error, and its standard output only when it fails.
 *
 * @throws SetUpError with `failure` when the program cannot be run or its exit code is not 0
 */
export function run(root, program, args, failure) {
  const { status, error, stdout } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    shell: process.platform === 'win32' && !program.endsWith('.exe'),
  });
  if (status === 0) return;
  if (stdout) process.stdout.write(stdout);
  throw new SetUpError(error ? `${failure} (${error.message})` : failure);
}
