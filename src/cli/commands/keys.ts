import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { listKeysCommand } from './list-keys.js';
import { rotateKeysCommand } from './rotate-keys.js';

export function keysCommand(context: CommandContext): Command {
  return new Command('keys')
    .description('See and replace the keys that sign access tokens.')
    .addCommand(listKeysCommand(context))
    .addCommand(rotateKeysCommand(context));
}
