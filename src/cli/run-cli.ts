import { CommanderError } from 'commander';
import { explainOperationalError } from '../explain-operational-error.js';
import type { CommandContext } from './command-context.js';
import { CommandError, CommandFailed, Interrupted } from './command-error.js';
import { buildProgram } from './program.js';

/** What shells give a command that Ctrl-C ended. */
const INTERRUPTED = 130;

/**
 * Runs one command.
 *
 * @param args as on the command line, without the program's name
 * @returns the exit code: 0, or 1 when the command failed, after saying why
 */
export async function runCli(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    await buildProgram(context).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (error instanceof CommandFailed) return 1;
    if (error instanceof Interrupted) return INTERRUPTED;
    context.terminal.say(explain(error));
    return 1;
  }
}

/** What people can act on is said in a sentence; a bug is shown whole. */
function explain(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  return explainOperationalError(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
}
