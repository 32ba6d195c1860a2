import { Command } from 'commander';
import { getUserId, grantAdmin, OPERATOR, setUserRole } from '../../accounts/index.js';
import type { CommandContext } from '../execution/command-context.js';
import { withCore } from '../execution/with-core.js';

export function adminCommand(context: CommandContext): Command {
  return new Command('admin')
    .description('Manage administrators.')
    .addCommand(grantAdminCommand(context))
    .addCommand(revokeAdminCommand(context));
}

function grantAdminCommand(context: CommandContext): Command {
  return new Command('grant')
    .description('Make an account an administrator, effective immediately, also in its open sessions.')
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
      'Make an administrator an ordinary account and revoke its sessions. Also works for the last administrator: ' +
        'then grant the right to another account.',
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
