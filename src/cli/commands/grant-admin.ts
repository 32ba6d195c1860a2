import { Command } from 'commander';
import { grantAdmin } from '../../accounts/index.js';
import type { CommandContext } from '../command-context.js';
import { withCore } from '../with-core.js';

export function grantAdminCommand(context: CommandContext): Command {
  return new Command('grant')
    .description('Make an account an administrator; it counts at once, also for sessions that are open.')
    .argument('<username>', 'of an account that exists')
    .addHelpText('after', '\nExample:\n  convene admin grant ada')
    .action(async (username: string) => {
      const account = await withCore(context, ({ accounts }) => grantAdmin(accounts, username));
      context.terminal.print(`${account.username} is an administrator.`);
    });
}
