import { Command } from 'commander';
import { OPERATOR, revokeApiKey } from '../../accounts/index.js';
import type { CommandContext } from '../command-context.js';
import { parseId } from '../parse-id.js';
import { withCore } from '../with-core.js';

export function revokeApiKeyCommand(context: CommandContext): Command {
  return new Command('revoke')
    .description('End a key at once, for good.')
    .argument('<id>', 'as "api-key list" shows it', parseId)
    .addHelpText('after', '\nExample:\n  convene api-key revoke 0199a0c2-8b1e-7c3a-9d4f-2e6b7a8c9d0e')
    .action(async (id: string) => {
      const { name } = await withCore(context, ({ accounts }) => revokeApiKey(accounts, OPERATOR, id));
      context.terminal.print(`The key "${name}" has ended.`);
    });
}
