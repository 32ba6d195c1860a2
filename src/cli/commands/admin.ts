import { Command } from 'commander';
import { getUserId, grantAdmin, OPERATOR, setUserRole } from '../../accounts/index.js';
import type { CommandContext } from '../execution/command-context.js';
import { withCore } from '../execution/with-core.js';

export function adminCommand(context: CommandContext): Command {
  return new Command('admin')
    .description('Say who are administrators.')
    .addCommand(grantAdminCommand(context))
    .addCommand(revokeAdminCommand(context));
}

function grantAdminCommand(context: CommandContext): Command {
  return new Command('grant')
    .description('Make an account an administrator; it counts at once, also for sessions that are open.')
    .argument('<username>', 'of an account that exists')
    .addHelpText('after', '\nExample:\n  convene admin grant ada')
    .action(async (username: string) => {
      const account = await withCore(context, ({ accounts }) => grantAdmin(accounts, username));
      context.terminal.print(`${account.username} is an administrator.`);
    });
}

function revokeAdminCommand(context: CommandContext): Command {
  return new Command('revoke')
    .description(
      'Make an administrator an account like any other; their sessions end. The last one can go too: grant it to ' +
        'somebody else.',
    )
    .argument('<username>', 'of an account that exists')
    .addHelpText('after', '\nExample:\n  convene admin revoke ada')
    .action(async (username: string) => {
      const account = await withCore(context, async ({ accounts }) =>
        setUserRole(accounts, OPERATOR, { userId: await getUserId(accounts, username), role: 'USER' }),
      );
      context.terminal.print(`${account.username} is no administrator.`);
    });
}
