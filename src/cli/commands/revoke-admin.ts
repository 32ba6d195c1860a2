import { Command } from 'commander';
import { getUserId, OPERATOR, setUserRole } from '../../accounts/index.js';
import type { CommandContext } from '../command-context.js';
import { withCore } from '../with-core.js';

export function revokeAdminCommand(context: CommandContext): Command {
  return new Command('revoke')
    .description(
      'Make an administrator an account like any other; their sessions end. The last one can go too: grant it to somebody else.',
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
