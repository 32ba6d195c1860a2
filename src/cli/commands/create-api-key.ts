import { Command, InvalidArgumentError, Option } from 'commander';
import { API_KEY_SCOPES, createApiKey, type ApiKey, type ApiKeyScope } from '../../accounts/index.js';
import { InvalidInputError } from '../../errors/index.js';
import type { CommandContext } from '../execution/command-context.js';
import { CommandError } from '../execution/command-error.js';
import { withCore } from '../execution/with-core.js';
import { parseExpiry } from '../options/parse-expiry.js';
import { parseId } from '../options/parse-id.js';

interface CreateOptions {
  readonly name: string;
  readonly scope: readonly ApiKeyScope[];
  readonly group?: readonly string[];
  readonly expires?: Date;
}

const EXAMPLES = `
Scopes:
  groups:read        read groups: state, members, counts, score, history
  responses:write    record members' answers
  scores:write       write compatibility scores
  federation         read the schema and resolve references, as the gateway of a supergraph

Examples:
  convene api-key create --name matching --scope scores:write --scope groups:read --expires 90d
  convene api-key create --name kiosk --scope responses:write --group 0199…-…
  KEY=$(convene api-key create --name matching --scope scores:write)`;

export function createApiKeyCommand(context: CommandContext): Command {
  return new Command('create')
    .description('Create a key and print its secret, once.')
    .requiredOption('--name <name>', 'what the key is for; the history of groups shows it')
    .addOption(new Option('--scope <scope>', 'what it may do; repeatable').makeOptionMandatory().argParser(appendScope))
    .addOption(
      new Option('--group <id>', 'for this group only; repeatable (default: for every group)').argParser(appendId),
    )
    .addOption(
      new Option(
        '--expires <when>',
        'a duration (90d, 12h), or a date or time (2030-01-31) (default: never)',
      ).argParser((text) => parseExpiry(text, new Date())),
    )
    .addHelpText('after', EXAMPLES)
    .action((options: CreateOptions) => create(context, options));
}

async function create(context: CommandContext, { name, scope, group, expires }: CreateOptions): Promise<void> {
  const { apiKey, secret } = await withCore(context, ({ accounts }) =>
    nameMissingGroups(group ?? [], () =>
      createApiKey(accounts, { name, scopes: scope, groupIds: group ?? null, expiresAt: expires ?? null }),
    ),
  );
  context.terminal.report(
    `${describe(apiKey)}\nIts secret, to be sent as a bearer token, is shown this once and is kept nowhere:`,
  );
  context.terminal.print(secret);
}

/** Names missing groups by their ids instead of their indexes. @throws CommandError when a group does not exist */
async function nameMissingGroups<T>(groupIds: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fields = error instanceof InvalidInputError ? (error.fields ?? []) : [];
    const missing = groupIds.filter((_, index) => fields.some(({ field }) => field === `groupIds.${index}`));
    throw missing.length === 0 ? error : new CommandError(`There is no group ${missing.join(', ')}.`, { cause: error });
  }
}

function describe({ name, id, scopes, groupIds, expiresAt }: ApiKey): string {
  const where = groupIds === null ? 'every group' : groupIds.join(', ');
  const until = expiresAt === null ? 'it does not expire' : `until ${expiresAt.toISOString()}`;
  return `The key "${name}" (${id}) has ${scopes.join(' and ')} for ${where}; ${until}.`;
}

function appendScope(text: string, previous: readonly ApiKeyScope[] | undefined): ApiKeyScope[] {
  const scope = API_KEY_SCOPES.find((known) => known === text);
  if (scope === undefined) throw new InvalidArgumentError(`There are ${API_KEY_SCOPES.join(', ')}.`);
  return [...new Set([...(previous ?? []), scope])];
}

function appendId(text: string, previous: readonly string[] | undefined): string[] {
  return [...new Set([...(previous ?? []), parseId(text)])];
}
