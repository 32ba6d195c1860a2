import { Command, Option } from 'commander';
import { listFollowUps, OPERATOR, retryFollowUp, type AccountsDeps, type FollowUpTask } from '../../accounts/index.js';
import { TASK_STATUSES } from '../../database/index.js';
import { NotFoundError } from '../../errors/index.js';
import type { CommandContext } from '../execution/command-context.js';
import { CommandError } from '../execution/command-error.js';
import { withCore } from '../execution/with-core.js';
import { limitOption } from '../options/limit-option.js';
import { parseId } from '../options/parse-id.js';
import { formatTable } from '../terminal/format-table.js';

interface ListOptions {
  readonly status?: string;
  readonly limit: number;
}

const HEADINGS = ['ID', 'NAME', 'STATUS', 'ATTEMPTS', 'QUEUED', 'USER', 'LAST ERROR'];

export function followUpsCommand(context: CommandContext): Command {
  return new Command('follow-ups')
    .description('List the follow-ups of registrations, and retry failed ones.')
    .addCommand(listFollowUpsCommand(context))
    .addCommand(retryFollowUpCommand(context));
}

function listFollowUpsCommand(context: CommandContext): Command {
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
  const page = await withCore(context, ({ accounts }) =>
    listFollowUps(accounts, OPERATOR, { status, first: options.limit }),
  );
  if (page.nodes.length > 0) context.terminal.print(formatTable([HEADINGS, ...page.nodes.map(row)]));
  context.terminal.report(`${page.nodes.length} of ${page.totalCount}.`);
}

function row({ id, name, status, attempts, createdAt, userId, lastError }: FollowUpTask): string[] {
  return [id, name, status.toLowerCase(), String(attempts), createdAt.toISOString(), userId, lastError ?? ''];
}

function retryFollowUpCommand(context: CommandContext): Command {
  return new Command('retry')
    .description('Queue a failed follow-up with all its attempts.')
    .argument('<id>', 'as "follow-ups list --status failed" shows it', parseId)
    .addHelpText('after', '\nExample:\n  convene follow-ups retry 0199a0c2-8b1e-7c3a-9d4f-2e6b7a8c9d0e')
    .action(async (id: string) => {
      const retried = await withCore(context, ({ accounts }) => retry(accounts, id));
      context.terminal.print(
        `${retried.name} of user ${retried.userId} is queued again; a running service tries it within seconds.`,
      );
    });
}

async function retry(accounts: AccountsDeps, id: string): ReturnType<typeof retryFollowUp> {
  try {
    return await retryFollowUp(accounts, OPERATOR, id);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new CommandError(
      `No follow-up ${id} has failed: "convene follow-ups list --status failed" shows those that have.`,
      { cause: error },
    );
  }
}
