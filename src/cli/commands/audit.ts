import { Command } from 'commander';
import { getUserId, listAuditEvents, OPERATOR, type AccountsDeps, type AuditEventView } from '../../accounts/index.js';
import type { CommandContext } from '../execution/command-context.js';
import { withCore } from '../execution/with-core.js';
import { limitOption } from '../options/limit-option.js';
import { formatTable } from '../terminal/format-table.js';

interface ListOptions {
  readonly user?: string;
  readonly limit: number;
}

const HEADINGS = ['AT', 'ACTION', 'ACTOR', 'SUBJECT', 'DETAIL'];

const EPILOGUE = `
The actor is who did it: "-" for commands and for what the service does by itself, and once that account is gone. The
subject is whose account it concerns.

Examples:
  convene audit list --limit 1000
  convene audit list --user ada`;

export function auditCommand(context: CommandContext): Command {
  return new Command('audit').description('Read the audit log.').addCommand(listCommand(context));
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List the last events, newest first.')
    .option('--user <username>', 'only what they did, or what concerns them')
    .addOption(limitOption())
    .addHelpText('after', EPILOGUE)
    .action((options: ListOptions) => list(context, options));
}

async function list(context: CommandContext, { user, limit }: ListOptions): Promise<void> {
  const { rows, totalCount } = await withCore(context, async ({ accounts }) => {
    const userId = user === undefined ? null : await getUserId(accounts, user);
    const page = await listAuditEvents(accounts, OPERATOR, { userId, first: limit });
    return { rows: await Promise.all(page.nodes.map((event) => row(accounts, event))), totalCount: page.totalCount };
  });
  if (rows.length > 0) context.terminal.print(formatTable([HEADINGS, ...rows]));
  context.terminal.report(`${rows.length} of ${totalCount}.`);
}

async function row(
  accounts: AccountsDeps,
  { at, action, actorId, subjectId, detail }: AuditEventView,
): Promise<string[]> {
  const [actor, subject] = await Promise.all([nameOf(accounts, actorId), nameOf(accounts, subjectId)]);
  return [at.toISOString(), action, actor, subject, detail === null ? '' : JSON.stringify(detail)];
}

async function nameOf({ loaders }: AccountsDeps, userId: string | null): Promise<string> {
  return userId === null ? '-' : ((await loaders.user(userId))?.username ?? '-');
}
