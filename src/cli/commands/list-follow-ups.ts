import { Command, Option } from 'commander';
import { TASK_STATUSES } from '../../database/index.js';
import { listFollowUps, type FollowUpTask } from '../../database/outbox/list-follow-ups.js';
import type { CommandContext } from '../command-context.js';
import { formatTable } from '../format-table.js';
import { limitOption } from '../limit-option.js';
import { withCore } from '../with-core.js';

interface ListOptions {
  readonly status?: string;
  readonly limit: number;
}

const HEADINGS = ['ID', 'NAME', 'STATUS', 'ATTEMPTS', 'QUEUED', 'USER', 'LAST ERROR'];

export function listFollowUpsCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List the follow-ups of registrations, newest first.')
    .addOption(
      new Option('--status <status>', 'only these').choices(TASK_STATUSES.map((status) => status.toLowerCase())),
    )
    .addOption(limitOption())
    .addHelpText('after', '\nExample:\n  convene follow-ups list --status failed')
    .action((options: ListOptions) => list(context, options));
}

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  const status = TASK_STATUSES.find((known) => known.toLowerCase() === options.status) ?? null;
  const page = await withCore(context, ({ database }) => listFollowUps(database, { status, first: options.limit }));
  if (page.nodes.length > 0) context.terminal.print(formatTable([HEADINGS, ...page.nodes.map(row)]));
  context.terminal.say(`${page.nodes.length} of ${page.totalCount}.`);
}

function row({ id, name, status, attempts, createdAt, userId, lastError }: FollowUpTask): string[] {
  return [id, name, status.toLowerCase(), String(attempts), createdAt.toISOString(), userId, lastError ?? ''];
}
