import { Command } from 'commander';
import { KEY_ACTIVATION_DELAY_MS, type SigningKeyInfo } from '../../accounts/index.js';
import type { CommandContext } from '../execution/command-context.js';
import { withCore } from '../execution/with-core.js';
import { formatTable } from '../terminal/format-table.js';

const HEADINGS = ['KEY', 'USE', 'MADE', 'SIGNS UNTIL'];

const LEGEND = `
Uses:
  signing     signs new access tokens
  published   signs when every process and every reader of the public keys has it
  retired     still verifies the tokens that it has signed`;

const EXPLANATION = `
Keys are rotated automatically every 90 days. A rotation logs no user out: the new key signs when every process and
reader of the public keys can know it, and the old one is accepted until its last token has expired.

Example:
  convene keys rotate && convene keys list`;

export function keysCommand(context: CommandContext): Command {
  return new Command('keys')
    .description('List and rotate the keys that sign access tokens.')
    .addCommand(listKeysCommand(context))
    .addCommand(rotateKeysCommand(context));
}

function listKeysCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List the keys whose tokens are accepted, oldest first.')
    .addHelpText('after', LEGEND)
    .action(async () => {
      const keys = await withCore(context, ({ keys: store }) => Promise.resolve(store.list()));
      context.terminal.print(formatTable([HEADINGS, ...keys.map(row)]));
    });
}

function row({ kid, use, createdAt, retiredAt }: SigningKeyInfo): string[] {
  return [kid, use.toLowerCase(), createdAt.toISOString(), retiredAt?.toISOString() ?? ''];
}

function rotateKeysCommand(context: CommandContext): Command {
  return new Command('rotate')
    .description('Create another key, and retire the present one.')
    .addHelpText('after', EXPLANATION)
    .action(async () => {
      const kid = await withCore(context, ({ keys }) => keys.rotate());
      context.terminal.report(
        `It signs in ${KEY_ACTIVATION_DELAY_MS / 1_000} seconds; tokens of the present key stay good until they ` +
          `expire.`,
      );
      context.terminal.print(kid);
    });
}
