import { Command } from 'commander';
import { type AccountView, getUserId, listAccounts, OPERATOR, setUserDisabled } from '../../accounts/index.js';
import { columns } from '../columns.js';
import type { CommandContext } from '../command-context.js';
import { withCore } from '../with-core.js';

const MOST = 1_000;
const HEADINGS = ['ID', 'USERNAME', 'ROLES', 'DISABLED', 'REGISTERED', 'LAST LOGIN'];

export function usersCommand(context: CommandContext): Command {
  return new Command('users')
    .description('See who has an account, and keep people out.')
    .addCommand(listCommand(context))
    .addCommand(switchCommand(context, 'disable'))
    .addCommand(switchCommand(context, 'enable'));
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description(`List the accounts, newest first, at most ${MOST}.`)
    .option('--search <beginning>', 'only those whose username or email address begins so')
    .action(async ({ search }: { readonly search?: string }) => {
      const page = await withCore(context, ({ accounts }) => listAccounts(accounts, OPERATOR, { search, first: MOST }));
      if (page.nodes.length > 0) context.terminal.print(columns([HEADINGS, ...page.nodes.map(row)]));
      context.terminal.say(`${page.nodes.length} of ${page.totalCount}.`);
    });
}

function switchCommand(context: CommandContext, verb: 'disable' | 'enable'): Command {
  return new Command(verb)
    .description(verb === 'disable' ? 'Keep somebody out; their sessions end at once.' : 'Let somebody in again.')
    .argument('<username>', 'of an account that exists')
    .action(async (username: string) => {
      const account = await withCore(context, async ({ accounts }) =>
        setUserDisabled(accounts, OPERATOR, { userId: await getUserId(accounts, username), disabled: verb === 'disable' }));
      context.terminal.print(`${account.username} is ${account.disabled ? 'kept out' : 'let in'}.`);
    });
}

function row({ id, username, roles, disabled, createdAt, lastLoginAt }: AccountView): string[] {
  return [id, username, roles.join(' ').toLowerCase(), disabled ? 'yes' : 'no', createdAt.toISOString(), lastLoginAt?.toISOString() ?? 'never'];
}
