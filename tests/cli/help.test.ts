import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { buildProgram } from '../../src/cli/program.js';
import { ConfigError } from '../../src/config/index.js';
import { runCaptured } from './fixtures/cli-fixture.js';

function run(...args: readonly string[]) {
  return runCaptured(args, () => {
    throw new ConfigError(['PORT is nonsense']);
  });
}

/** Every command without subcommands, by the words that call it. */
function commandsOf({ commands }: Pick<Command, 'commands'>, before: readonly string[] = []): (readonly string[])[] {
  return commands.flatMap((command) => {
    const words = [...before, command.name()];
    return command.commands.length === 0 ? [words] : commandsOf(command, words);
  });
}

const NOTHING = { print: () => undefined, report: () => undefined, paint: (_: string, text: string) => text };
const COMMANDS = commandsOf(
  buildProgram({
    terminal: NOTHING,
    loadSettings: () => {
      throw new Error('not asked for');
    },
    stop: new AbortController().signal,
  }),
);

describe('buildProgram', () => {
  it('has exactly the documented commands', () => {
    expect(COMMANDS.map((words) => words.join(' '))).toEqual([
      'serve',
      'demo',
      'doctor',
      'migrate',
      'admin grant',
      'admin revoke',
      'users list',
      'users disable',
      'users enable',
      'audit list',
      'api-key create',
      'api-key list',
      'api-key revoke',
      'keys list',
      'keys rotate',
      'follow-ups list',
      'follow-ups retry',
    ]);
  });
});

describe('convene --help', () => {
  it('names every command, also with invalid settings', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    for (const [command] of COMMANDS) expect(out).toMatch(new RegExp(`\n  ${command ?? ''} `));
  });

  it.each(COMMANDS.map((command) => [command]))('explains %p beyond its options', async (command) => {
    const { code, out } = await run(...command, '--help');
    expect(code).toBe(0);
    expect(out).toContain(`Usage: convene ${command.join(' ')}`);
    expect(out.slice(out.indexOf('-h, --help')).split('\n').length).toBeGreaterThan(2);
  });
});

describe('an invalid command line', () => {
  it.each([
    ['an unknown command', ['frobnicate'], "unknown command 'frobnicate'"],
    ['an unknown option', ['migrate', '--fast'], "unknown option '--fast'"],
    ['a missing argument', ['admin', 'grant'], "missing required argument 'username'"],
    ['a missing option', ['api-key', 'create', '--name', 'x'], "required option '--scope <scope>' not specified"],
    [
      'an unknown scope',
      ['api-key', 'create', '--name', 'x', '--scope', 'all'],
      'There are groups:read, responses:write, scores:write, federation.',
    ],
    [
      'a group that is no UUID',
      ['api-key', 'create', '--name', 'x', '--scope', 'scores:write', '--group', '7'],
      'Ids look like',
    ],
    [
      'an invalid expiry',
      ['api-key', 'create', '--name', 'x', '--scope', 'scores:write', '--expires', 'soon'],
      'Give a duration',
    ],
    [
      'an unknown status',
      ['follow-ups', 'list', '--status', 'lost'],
      'Allowed choices are queued, running, done, skipped, failed.',
    ],
    ['a limit that is too high', ['follow-ups', 'list', '--limit', '1001'], 'Give a whole number from 1 to 1000.'],
    ['an id that is none', ['follow-ups', 'retry', 'x'], 'Ids look like'],
    ['a key that is no id', ['api-key', 'revoke', 'kiosk'], 'Ids look like'],
    ['a limit that is none', ['users', 'list', '--limit', 'all'], 'Give a whole number from 1 to 1000.'],
    ['a limit that is too low', ['audit', 'list', '--limit', '0'], 'Give a whole number from 1 to 1000.'],
    ['users disable without a username', ['users', 'disable'], "missing required argument 'username'"],
    ['users enable without a username', ['users', 'enable'], "missing required argument 'username'"],
    ['admin revoke without a username', ['admin', 'revoke'], "missing required argument 'username'"],
    ['more than it takes', ['users', 'disable', 'ada', 'ben'], 'too many arguments'],
    ['an unknown command of several', ['users', 'erase', 'ada'], "unknown command 'erase'"],
  ])('is refused for %s, before anything is opened', async (_, args, message) => {
    const { code, out, err } = await run(...args);
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toContain(message);
  });

  it('prints invalid settings in one message without a stack', async () => {
    const { code, err } = await run('migrate');
    expect(code).toBe(1);
    expect(err).toBe('Convene cannot start with these settings:\n  - PORT is nonsense');
  });
});
