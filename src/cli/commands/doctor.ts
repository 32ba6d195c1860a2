import { Command } from 'commander';
import { calibrate } from '../doctor/calibrate.js';
import type { CheckResult } from '../doctor/check-result.js';
import { runChecks } from '../doctor/run-checks.js';
import type { CommandContext } from '../execution/command-context.js';
import { CommandFailedError, InterruptedError } from '../execution/command-error.js';
import type { Colour, Terminal } from '../terminal/terminal.js';

const STATE_STYLES = {
  ok: { word: 'ok', colour: 'green' },
  warning: { word: 'note', colour: 'yellow' },
  error: { word: 'WRONG', colour: 'red' },
} as const satisfies Record<CheckResult['state'], { word: string; colour: Colour }>;

const LEFT_MARGIN = 6;
const TITLE_WIDTH = 13;

const EPILOGUE = `
The exit code is 1 when anything is wrong. Without a running service it starts the embedded database for as long
as it takes; nothing is changed but that missing folders are made.`;

export function doctorCommand(context: CommandContext): Command {
  return new Command('doctor')
    .description('Check everything that the service needs, and print what to do.')
    .option('--calibrate', 'measure how fast this machine hashes passwords instead, and propose settings for it')
    .addHelpText('after', EPILOGUE)
    .action(({ calibrate: wanted = false }: { calibrate?: boolean }) =>
      wanted ? calibrate(context.terminal, context.loadSettings()) : report(context),
    );
}

async function report({ terminal, loadSettings, stop }: CommandContext): Promise<void> {
  let errors = 0;
  for await (const result of runChecks(loadSettings)) {
    if (stop.aborted) throw new InterruptedError();
    terminal.print(line(terminal, result));
    if (result.state === 'error') errors += 1;
  }
  if (errors > 0) throw new CommandFailedError();
  terminal.print('\nEverything is in order.');
}

function line(terminal: Terminal, { subject: about, state, text }: CheckResult): string {
  const { word, colour } = STATE_STYLES[state];
  const indented = text.replaceAll('\n', `\n${' '.repeat(LEFT_MARGIN + TITLE_WIDTH)}`);
  return `${terminal.paint(colour, word.padEnd(LEFT_MARGIN))}${about.padEnd(TITLE_WIDTH)}${indented}`;
}
