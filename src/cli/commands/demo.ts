import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { CommandFailed } from '../command-error.js';
import { onStage } from '../demo/on-stage.js';
import { Play, WrongAnswer } from '../demo/play.js';
import { playMainJob } from '../demo/play-main-job.js';
import type { Stage } from '../demo/stage.js';

const EPILOGUE = `
It plays against the service that runs by the same settings (PORT, DATA_DIR, DATABASE_URL), and can be repeated there:
the people are new each time. Where none runs, it starts one of its own on a free port, and removes its data afterwards.

Examples:
  convene demo
  GRAPHQL_ENGINE=apollo convene demo`;

export function demoCommand(context: CommandContext): Command {
  return new Command('demo')
    .description('Play the main job, from two strangers to a confirmed group, and check every answer.')
    .addHelpText('after', EPILOGUE)
    .action(() => onStage(context, (stage) => perform(context, stage)));
}

/** @throws CommandFailed unless every answer was right */
async function perform({ terminal }: CommandContext, stage: Stage): Promise<void> {
  terminal.print(`The demo plays on ${stage.url}: ${stage.about}.`);
  const play = new Play(terminal, stage.url);
  const wrong = await playThrough(play, stage);
  if (wrong !== null) terminal.say(`${wrong.message}\nThe demo ends here, since the rest builds on that.`);
  terminal.print(`\n${play.steps} steps, ${play.right} right`);
  if (wrong !== null) throw new CommandFailed();
}

async function playThrough(play: Play, stage: Stage): Promise<WrongAnswer | null> {
  try {
    await playMainJob(play, stage);
    return null;
  } catch (error) {
    if (error instanceof WrongAnswer) return error;
    throw error;
  }
}
