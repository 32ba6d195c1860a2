import { Command } from 'commander';
import { listApiKeys, OPERATOR, revokeApiKey, type ApiKey } from '../../accounts/index.js';
import type { CommandContext } from '../execution/command-context.js';
import { withCore } from '../execution/with-core.js';
import { parseId } from '../options/parse-id.js';
import { formatTable } from '../terminal/format-table.js';
import { createApiKeyCommand } from './create-api-key.js';

const HEADINGS = ['ID', 'PREFIX', 'NAME', 'SCOPES', 'EXPIRES', 'LAST USED'];

export function apiKeyCommand(context: CommandContext): Command {
  return new Command('api-key')
    .description('Create, list and revoke keys of API clients.')
    .addCommand(createApiKeyCommand(context))
    .addCommand(listApiKeysCommand(context))
    .addCommand(revokeApiKeyCommand(context));
}

function listApiKeysCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List the API keys, newest first. Their secrets are not stored.')
    .addHelpText('after', '\nExample:\n  convene api-key list')
    .action(async () => {
      const keys = await withCore(context, ({ accounts }) => listApiKeys(accounts, OPERATOR));
      if (keys.length > 0) context.terminal.print(formatTable([HEADINGS, ...keys.map(row)]));
      context.terminal.report(`${keys.length} in all.`);
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

function revokeApiKeyCommand(context: CommandContext): Command {
  return new Command('revoke')
    .description('Revoke a key immediately and permanently.')
    .argument('<id>', 'as "api-key list" shows it', parseId)
    .addHelpText('after', '\nExample:\n  convene api-key revoke 0199a0c2-8b1e-7c3a-9d4f-2e6b7a8c9d0e')
    .action(async (id: string) => {
      const { name } = await withCore(context, ({ accounts }) => revokeApiKey(accounts, OPERATOR, id));
      context.terminal.print(`The key "${name}" has ended.`);
    });
}
