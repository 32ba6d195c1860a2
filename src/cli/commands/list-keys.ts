import { Command } from 'commander';
import type { SigningKeyInfo } from '../../accounts/index.js';
import type { CommandContext } from '../command-context.js';
import { formatTable } from '../format-table.js';
import { withCore } from '../with-core.js';

const HEADINGS = ['KEY', 'USE', 'MADE', 'SIGNS UNTIL'];

const LEGEND = `
Uses:
  signing     new access tokens are signed with it
  published   it will sign once every process and every reader of the public keys has it
  retired     tokens that were signed with it are still accepted`;

export function listKeysCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List the keys whose tokens are accepted, oldest first.')
    .addHelpText('after', LEGEND)
    .action(async () => {
      const keys = await withCore(context, ({ keys: store }) => Promise.resolve(store.list()));
      context.terminal.print(formatTable([HEADINGS, ...keys.map(row)]));
    });
}

function row({ kid, use, createdAt, retiredAt }: SigningKeyInfo): string[] {
  return [kid, use.toLowerCase(), createdAt.toISOString(), retiredAt?.toISOString() ?? ''];
}
