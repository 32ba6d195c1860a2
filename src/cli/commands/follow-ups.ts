import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { listFollowUpsCommand } from './list-follow-ups.js';
import { retryFollowUpCommand } from './retry-follow-up.js';

export function followUpsCommand(context: CommandContext): Command {
  return new Command('follow-ups')
    .description('See what registrations still owe, and have it tried again.')
    .addCommand(listFollowUpsCommand(context))
    .addCommand(retryFollowUpCommand(context));
}
