import { Command } from 'commander';
import { KEY_ACTIVATION_DELAY_MS } from '../../accounts/index.js';
import type { CommandContext } from '../command-context.js';
import { withCore } from '../with-core.js';

const EXPLANATION = `
Keys are replaced by themselves every 90 days. Nobody is logged out by a rotation: the new key signs once everybody can
know it, and the old one is accepted until its last token has expired.

Example:
  convene keys rotate && convene keys list`;

export function rotateKeysCommand(context: CommandContext): Command {
  return new Command('rotate')
    .description('Make another key, and retire the present one.')
    .addHelpText('after', EXPLANATION)
    .action(async () => {
      const kid = await withCore(context, ({ keys }) => keys.rotate());
      context.terminal.say(
        `It signs in ${KEY_ACTIVATION_DELAY_MS / 1_000} seconds; tokens of the present key stay good until they expire.`,
      );
      context.terminal.print(kid);
    });
}
