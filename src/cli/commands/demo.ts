import { Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../command-context.js';
import { CommandFailed } from '../command-error.js';
import { DemoRunner, UnexpectedResponseError } from '../demo/demo-runner.js';
import { withDemoService } from '../demo/on-stage.js';
import { runDemo } from '../demo/run-demo.js';
import { seedLargeGroup } from '../demo/seed-large-group.js';
import type { DemoService } from '../demo/stage.js';

const MOST_MEMBERS = 1_000_000;
const TELL_EVERY = 10_000;

const EPILOGUE = `
It plays against the service that runs by the same settings (PORT, DATA_DIR, DATABASE_URL), and can be repeated there:
the people are new each time. Where none runs, it starts one of its own on a free port, and removes its data afterwards.

Examples:
  convene demo
  GRAPHQL_ENGINE=apollo convene demo
  convene demo --members 100000     a large group, in the service's own database`;

export function demoCommand(context: CommandContext): Command {
  return new Command('demo')
    .description('Play the main job, from two strangers to a confirmed group, and check every answer.')
    .addHelpText('after', EPILOGUE)
    .option('--members <count>', 'make a group of that many members instead, with every revision', parseMembers)
    .action(({ members }: { readonly members?: number }) =>
      withDemoService(context, (stage) =>
        members === undefined ? perform(context, stage) : seed(context, stage, members),
      ),
    );
}

function parseMembers(text: string): number {
  const members = Number(text);
  if (!Number.isInteger(members) || members < 1 || members > MOST_MEMBERS)
    throw new InvalidArgumentError(`It must be 1 to ${MOST_MEMBERS.toLocaleString('en')}.`);
  return members;
}

async function seed({ terminal }: CommandContext, { core, url }: DemoService, members: number): Promise<void> {
  const begun = performance.now();
  const { groupId } = await seedLargeGroup(core, members, (done) => {
    if (done % TELL_EVERY === 0)
      terminal.print(`${done.toLocaleString('en')} of ${members.toLocaleString('en')} members`);
  });
  const seconds = (performance.now() - begun) / 1_000;
  terminal.print(
    `${url} has a group of ${members.toLocaleString('en')} members now, made in ${seconds.toFixed(0)} s: ${groupId}`,
  );
}

/** @throws CommandFailed unless every answer was right */
async function perform({ terminal }: CommandContext, stage: DemoService): Promise<void> {
  terminal.print(`The demo plays on ${stage.url}: ${stage.about}.`);
  const play = new DemoRunner(terminal, stage.url);
  const wrong = await playThrough(play, stage);
  if (wrong !== null) terminal.say(`${wrong.message}\nThe demo ends here, since the rest builds on that.`);
  terminal.print(`\n${play.steps} steps, ${play.right} right`);
  if (wrong !== null) throw new CommandFailed();
}

async function playThrough(play: DemoRunner, stage: DemoService): Promise<UnexpectedResponseError | null> {
  try {
    await runDemo(play, stage);
    return null;
  } catch (error) {
    if (error instanceof UnexpectedResponseError) return error;
    throw error;
  }
}
