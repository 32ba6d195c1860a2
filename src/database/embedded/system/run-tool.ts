import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { errorCodeOf } from './error-code.js';

/** The system account of the server, when this process runs as root. */
export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * All that the server and its tools get to see of the environment: the service's secrets stay out of it,
 * and neither the machine's locale nor a stray PG* variable changes what they do.
 */
export const TOOL_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };

const execute = promisify(execFile);

/**
 * Runs a program to its end and gives what it printed.
 *
 * It works in `/`, since the folder that this process is in may be closed to the account.
 *
 * @throws Error carrying the program's output when it fails
 */
export async function runTool(
  program: string,
  args: readonly string[],
  account: OsUser | null = null,
): Promise<string> {
  const { stdout } = await execute(program, args, { ...account, cwd: '/', env: TOOL_ENVIRONMENT });
  return stdout.trim();
}

/** Whether the program ran and failed. Other errors mean that it could not be started, such as EMFILE. */
export function hasExitCode(error: unknown): boolean {
  return typeof errorCodeOf(error) === 'number';
}
