import { spawnSync } from 'node:child_process';

/** A failure that the message explains; it is shown without a stack trace. */
export class SetUpError extends Error {}

/** Says what is about to happen: one line for each thing that set-up does. */
export function say(sentence) {
  console.log(sentence);
}

/**
 * Runs a program to its end; what it writes as errors is shown, its other output only if it fails.
 *
 * @throws SetUpError with `failure` when the program cannot be run or ends with anything but 0
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
