import { Command } from 'commander';
import { OPERATOR, retryFollowUpAsAdmin, type AccountsDeps } from '../../accounts/index.js';
import { NotFoundError } from '../../errors/index.js';
import type { CommandContext } from '../command-context.js';
import { CommandError } from '../command-error.js';
import { parseId } from '../parse-id.js';
import { withCore } from '../with-core.js';

export function retryFollowUpCommand(context: CommandContext): Command {
  return new Command('retry')
    .description('Give a follow-up that has failed all its attempts again.')
    .argument('<id>', 'as "follow-ups list --status failed" shows it', parseId)
    .addHelpText('after', '\nExample:\n  convene follow-ups retry 0199a0c2-8b1e-7c3a-9d4f-2e6b7a8c9d0e')
    .action(async (id: string) => {
      const retried = await withCore(context, ({ accounts }) => retry(accounts, id));
      context.terminal.print(
        `${retried.name} of user ${retried.userId} is queued again; a running service tries it within seconds.`,
      );
    });
}

async function retry(accounts: AccountsDeps, id: string): ReturnType<typeof retryFollowUpAsAdmin> {
  try {
    return await retryFollowUpAsAdmin(accounts, OPERATOR, id);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new CommandError(
      `No follow-up ${id} has failed: "convene follow-ups list --status failed" shows those that have.`,
      { cause: error },
    );
  }
}
