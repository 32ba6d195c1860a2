import { Command } from 'commander';
import { KEY_ACTIVATION_DELAY_MS, type SigningKeyInfo } from '../../accounts/index.js';
import type { CommandContext } from '../execution/command-context.js';
import { withCore } from '../execution/with-core.js';
import { formatTable } from '../terminal/format-table.js';

const HEADINGS = ['KEY', 'USE', 'MADE', 'SIGNS UNTIL'];

const LEGEND = `
Uses:
  signing     new access tokens are signed with it
  published   it will sign once every process and every reader of the public keys has it
  retired     tokens that were signed with it are still accepted`;

const EXPLANATION = `
Keys are replaced by themselves every 90 days. Nobody is logged out by a rotation: the new key signs once everybody can
know it, and the old one is accepted until its last token has expired.

Example:
  convene keys rotate && convene keys list`;

export function keysCommand(context: CommandContext): Command {
  return new Command('keys')
    .description('See and replace the keys that sign access tokens.')
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
    .description('Make another key, and retire the present one.')
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
