import { Command } from 'commander';
import { runService } from '../../run-service.js';
import type { CommandContext } from '../execution/command-context.js';
import { CommandFailedError } from '../execution/command-error.js';

export function serveCommand({ loadSettings, stop }: CommandContext): Command {
  return new Command('serve')
    .description('Run the service until Ctrl-C.')
    .addHelpText('after', '\nExamples:\n  convene serve\n  PORT=4001 GRAPHQL_ENGINE=apollo convene serve')
    .action(async () => {
      if ((await runService(loadSettings, stop)) !== 0) throw new CommandFailedError();
    });
}
