import { Command } from 'commander';
import { getUserId, listAccounts, OPERATOR, setUserDisabled, type AccountView } from '../../accounts/index.js';
import { toIsoText } from '../../time/stored-time.js';
import type { CommandContext } from '../execution/command-context.js';
import { withCore } from '../execution/with-core.js';
import { limitOption } from '../options/limit-option.js';
import { formatTable } from '../terminal/format-table.js';

const HEADINGS = ['ID', 'USERNAME', 'ROLES', 'DISABLED', 'REGISTERED', 'LAST LOGIN'];

export function usersCommand(context: CommandContext): Command {
  return new Command('users')
    .description('List, disable and enable accounts.')
    .addCommand(listCommand(context))
    .addCommand(setDisabledCommand(context, 'disable'))
    .addCommand(setDisabledCommand(context, 'enable'));
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List the accounts, newest first.')
    .option('--search <beginning>', 'only accounts whose username or email address begins with this text')
    .addOption(limitOption())
    .addHelpText('after', '\nExamples:\n  convene users list --limit 1000\n  convene users list --search ada')
    .action(async ({ search, limit }: { readonly search?: string; readonly limit: number }) => {
      const page = await withCore(context, ({ accounts }) =>
        listAccounts(accounts, OPERATOR, { search, first: limit }),
      );
      if (page.nodes.length > 0) context.terminal.print(formatTable([HEADINGS, ...page.nodes.map(row)]));
      context.terminal.report(`${page.nodes.length} of ${page.totalCount}.`);
    });
}

function setDisabledCommand(context: CommandContext, verb: 'disable' | 'enable'): Command {
  return new Command(verb)
    .description(verb === 'disable' ? 'Disable an account and revoke its sessions immediately.' : 'Enable an account.')
    .argument('<username>', 'of an account that exists')
    .addHelpText('after', `\nExample:\n  convene users ${verb} ada`)
    .action(async (username: string) => {
      const account = await withCore(context, async ({ accounts }) =>
        setUserDisabled(accounts, OPERATOR, {
          userId: await getUserId(accounts, username),
          disabled: verb === 'disable',
        }),
      );
      context.terminal.print(`${account.username} is ${account.disabled ? 'kept out' : 'let in'}.`);
    });
}

function row({ id, username, roles, disabled, createdAt, lastLoginAt }: AccountView): string[] {
  return [
    id,
    username,
    roles.join(' ').toLowerCase(),
    disabled ? 'yes' : 'no',
    toIsoText(createdAt),
    lastLoginAt?.toISOString() ?? 'never',
  ];
}
