import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { OperatorError } from '../src/errors/index.js';
import { requirePlatform } from '../src/require-platform.js';

const SET_UP = fileURLToPath(new URL('../scripts/set-up/platform.mjs', import.meta.url));
const SENTENCE = 'Convene does not run on Windows: use Linux, macOS, or the Windows Subsystem for Linux (WSL).';

describe('requirePlatform', () => {
  it('rejects Windows with one sentence', () => {
    expect(() => requirePlatform('win32')).toThrow(new OperatorError(SENTENCE));
  });

  it.each(['linux', 'darwin'] as const)('accepts %s', (platform) => {
    expect(() => requirePlatform(platform)).not.toThrow();
  });

  it('rejects Windows before the set-up of a clone, in the same words', () => {
    const script = `import { requirePlatform } from ${JSON.stringify(`file://${SET_UP}`)};
      try { requirePlatform('win32') } catch (error) { console.log(error.message) }`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(stdout.trim()).toBe(SENTENCE);
  });
});
