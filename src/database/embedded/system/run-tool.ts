import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { errorCodeOf } from './error-code.js';

/** The OS user of the server when this process runs as root. */
export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

/** The whole environment of the server and its tools, without secrets of the service, PG* variables and locales. */
export const TOOL_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };

const execute = promisify(execFile);

/**
 * Runs a program to its end, in `/`, because the OS user may have no access to the current folder.
 *
 * @returns its standard output
 * @throws Error with the output of a program that fails
 */
export async function runTool(program: string, args: readonly string[], osUser: OsUser | null = null): Promise<string> {
  const { stdout } = await execute(program, args, { ...osUser, cwd: '/', env: TOOL_ENVIRONMENT });
  return stdout.trim();
}

/** Whether the program ran and failed. Other errors mean that it could not be started, such as EMFILE. */
export function hasExitCode(error: unknown): boolean {
  return typeof errorCodeOf(error) === 'number';
}
