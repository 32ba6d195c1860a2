import { Command } from 'commander';
import { listApiKeys, OPERATOR, type ApiKey } from '../../accounts/index.js';
import type { CommandContext } from '../command-context.js';
import { formatTable } from '../format-table.js';
import { withCore } from '../with-core.js';

const HEADINGS = ['ID', 'PREFIX', 'NAME', 'SCOPES', 'EXPIRES', 'LAST USED'];

export function listApiKeysCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List the keys of programs, newest first; their secrets are kept nowhere.')
    .addHelpText('after', '\nExample:\n  convene api-key list')
    .action(async () => {
      const keys = await withCore(context, ({ accounts }) => listApiKeys(accounts, OPERATOR));
      if (keys.length > 0) context.terminal.print(formatTable([HEADINGS, ...keys.map(row)]));
      context.terminal.say(`${keys.length} in all.`);
    });
}

function row({ id, prefix, name, scopes, expiresAt, lastUsedAt }: ApiKey): string[] {
  return [
    id,
    prefix,
    name,
    scopes.join(' '),
    expiresAt?.toISOString() ?? 'never',
    lastUsedAt?.toISOString() ?? 'never',
  ];
}
