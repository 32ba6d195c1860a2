import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '../../src/config/index.js';
import { runCaptured } from './cli-world.js';

function run(...args: readonly string[]) {
  return runCaptured(args, () => { throw new ConfigError(['PORT is nonsense']); });
}

describe('the help', () => {
  it('names every command, whatever the settings are', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    for (const command of ['serve', 'demo', 'doctor', 'migrate', 'admin', 'api-key', 'keys', 'follow-ups']) expect(out).toContain(`\n  ${command} `);
  });

  it.each([
    [['serve']], [['demo']], [['doctor']], [['migrate']], [['admin', 'grant']], [['api-key', 'create']], [['follow-ups', 'list']], [['follow-ups', 'retry']], [['keys', 'list']], [['keys', 'rotate']],
  ])('explains %p, with more than its options', async (command) => {
    const { code, out } = await run(...command, '--help');
    expect(code).toBe(0);
    expect(out).toContain(`Usage: convene ${command.join(' ')}`);
    expect(out.slice(out.indexOf('-h, --help')).split('\n').length).toBeGreaterThan(2);
  });
});

describe('a command line that is wrong', () => {
  it.each([
    ['an unknown command', ['frobnicate'], "unknown command 'frobnicate'"],
    ['an unknown option', ['migrate', '--fast'], "unknown option '--fast'"],
    ['a missing argument', ['admin', 'grant'], "missing required argument 'username'"],
    ['a missing option', ['api-key', 'create', '--name', 'x'], "required option '--scope <scope>' not specified"],
    ['a scope that is none', ['api-key', 'create', '--name', 'x', '--scope', 'all'], 'There are groups:read, responses:write, scores:write.'],
    ['a group that is no id', ['api-key', 'create', '--name', 'x', '--scope', 'scores:write', '--group', '7'], 'Ids look like'],
    ['an expiry that is no time', ['api-key', 'create', '--name', 'x', '--scope', 'scores:write', '--expires', 'soon'], 'Give a duration'],
    ['a status that is none', ['follow-ups', 'list', '--status', 'lost'], 'Allowed choices are queued, running, done, skipped, failed.'],
    ['a limit that is too high', ['follow-ups', 'list', '--limit', '1001'], 'Give a whole number from 1 to 1000.'],
    ['an id that is none', ['follow-ups', 'retry', 'x'], 'Ids look like'],
  ])('is refused for %s, before anything is opened', async (_, args, message) => {
    const { code, out, err } = await run(...args);
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toContain(message);
  });

  it('is told by faulty settings in one message without a stack', async () => {
    const { code, err } = await run('migrate');
    expect(code).toBe(1);
    expect(err).toBe('Convene cannot start with these settings:\n  - PORT is nonsense');
  });
});
