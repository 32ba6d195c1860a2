import { Command } from 'commander';
import { type AuditEventView, getUserId, listAuditEvents, OPERATOR } from '../../accounts/index.js';
import { columns } from '../columns.js';
import type { CommandContext } from '../command-context.js';
import { withCore } from '../with-core.js';

const SHOWN = 100;
const HEADINGS = ['AT', 'ACTION', 'ACTOR', 'SUBJECT', 'DETAIL'];

export function auditCommand(context: CommandContext): Command {
  return new Command('audit').description('See what was done that matters to security.').addCommand(listCommand(context));
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description(`List the last ${SHOWN} events, newest first.`)
    .option('--user <username>', 'only what they did, or what concerns them')
    .action(async ({ user }: { readonly user?: string }) => {
      const page = await withCore(context, async ({ accounts }) =>
        listAuditEvents(accounts, OPERATOR, { userId: user === undefined ? null : await getUserId(accounts, user), first: SHOWN }));
      if (page.nodes.length > 0) context.terminal.print(columns([HEADINGS, ...page.nodes.map(row)]));
      context.terminal.say(`${page.nodes.length} of ${page.totalCount}.`);
    });
}

function row({ at, action, actorId, subjectId, detail }: AuditEventView): string[] {
  return [at.toISOString(), action, actorId ?? '-', subjectId ?? '-', detail === null ? '' : JSON.stringify(detail)];
}
