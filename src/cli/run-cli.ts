import { CommanderError } from 'commander';
import { withSourcePositions } from '../errors/index.js';
import { explainOperationalError } from '../explain-operational-error.js';
import type { CommandContext } from './execution/command-context.js';
import { CommandError, CommandFailedError, InterruptedError } from './execution/command-error.js';
import { buildProgram } from './program.js';

/** 128 + SIGINT, by convention of shells. */
const EXIT_CODE_SIGINT = 130;

/**
 * Runs one command.
 *
 * @param args arguments without the program's name
 * @returns the exit code: 0; 1 when the command failed, after printing the cause; 130 after a signal
 */
export async function runCli(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    await buildProgram(context).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (error instanceof CommandFailedError) return 1;
    if (error instanceof InterruptedError) return EXIT_CODE_SIGINT;
    context.terminal.report(describeError(error));
    return 1;
  }
}

/** Errors that the operator can fix are one sentence; unexpected errors have their stack. */
function describeError(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return explainOperationalError(error) ?? withSourcePositions(text);
}
