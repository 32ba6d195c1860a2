import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { grantAdminCommand } from './grant-admin.js';
import { revokeAdminCommand } from './revoke-admin.js';

export function adminCommand(context: CommandContext): Command {
  return new Command('admin')
    .description('Say who are administrators.')
    .addCommand(grantAdminCommand(context))
    .addCommand(revokeAdminCommand(context));
}
