import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { createApiKeyCommand } from './create-api-key.js';
import { listApiKeysCommand } from './list-api-keys.js';
import { revokeApiKeyCommand } from './revoke-api-key.js';

export function apiKeyCommand(context: CommandContext): Command {
  return new Command('api-key')
    .description('Make, list and end keys for programs.')
    .addCommand(createApiKeyCommand(context))
    .addCommand(listApiKeysCommand(context))
    .addCommand(revokeApiKeyCommand(context));
}
