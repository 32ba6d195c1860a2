import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { createApiKeyCommand } from './create-api-key.js';

export function apiKeyCommand(context: CommandContext): Command {
  return new Command('api-key')
    .description('Make keys for programs.')
    .addCommand(createApiKeyCommand(context));
}
