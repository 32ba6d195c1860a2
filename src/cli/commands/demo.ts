import { Command, InvalidArgumentError } from 'commander';
import { runDemo } from '../demo/run-demo.js';
import { DemoRunner, UnexpectedResponseError } from '../demo/runner/demo-runner.js';
import { seedLargeGroup } from '../demo/seed-large-group.js';
import type { DemoService } from '../demo/service/demo-service.js';
import { withDemoService } from '../demo/service/with-demo-service.js';
import type { CommandContext } from '../execution/command-context.js';
import { CommandFailedError } from '../execution/command-error.js';

const MAX_MEMBERS = 1_000_000;
const PROGRESS_INTERVAL = 10_000;

const EPILOGUE = `
It plays against the service that runs by the same settings (PORT, DATA_DIR, DATABASE_URL), and can be repeated there:
the people are new each time. Where none runs, it starts one of its own on a free port, and removes its data afterwards.

Examples:
  convene demo
  GRAPHQL_ENGINE=apollo convene demo
  convene demo --members 100000     a large group, in the service's own database`;

export function demoCommand(context: CommandContext): Command {
  return new Command('demo')
    .description('Run the main scenario, from two new users to a confirmed group, and check every response.')
    .addHelpText('after', EPILOGUE)
    .option('--members <count>', 'make a group of that many members instead, with every revision', parseMembers)
    .action(({ members }: { readonly members?: number }) =>
      withDemoService(context, (service) =>
        members === undefined ? runScenarios(context, service) : seed(context, service, members),
      ),
    );
}

function parseMembers(text: string): number {
  const members = Number(text);
  if (!Number.isInteger(members) || members < 1 || members > MAX_MEMBERS)
    throw new InvalidArgumentError(`It must be 1 to ${MAX_MEMBERS.toLocaleString('en')}.`);
  return members;
}

async function seed({ terminal }: CommandContext, { core, url }: DemoService, members: number): Promise<void> {
  const startedAt = performance.now();
  const { groupId } = await seedLargeGroup(core, members, (count) => {
    if (count % PROGRESS_INTERVAL === 0)
      terminal.print(`${count.toLocaleString('en')} of ${members.toLocaleString('en')} members`);
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  terminal.print(
    `${url} has a group of ${members.toLocaleString('en')} members now, made in ${seconds.toFixed(0)} s: ${groupId}`,
  );
}

/** @throws CommandFailedError when a response is not the expected one */
async function runScenarios({ terminal }: CommandContext, service: DemoService): Promise<void> {
  terminal.print(`The demo plays on ${service.url}: ${service.description}.`);
  const runner = new DemoRunner(terminal, service.url);
  const unexpected = await runUntilUnexpected(runner, service);
  if (unexpected !== null) terminal.report(`${unexpected.message}\nThe demo ends here, since the rest builds on that.`);
  terminal.print(`\n${runner.steps} steps, ${runner.right} right`);
  if (unexpected !== null) throw new CommandFailedError();
}

async function runUntilUnexpected(runner: DemoRunner, service: DemoService): Promise<UnexpectedResponseError | null> {
  try {
    await runDemo(runner, service);
    return null;
  } catch (error) {
    if (error instanceof UnexpectedResponseError) return error;
    throw error;
  }
}
