import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../src/config/index.js';
import { runCaptured } from '../fixtures/cli-fixture.js';

describe('convene doctor --calibrate', () => {
  it('proposes settings that can be copied and are valid', async () => {
    const { code, out } = await runCaptured(['doctor', '--calibrate'], () =>
      loadConfig({ NODE_ENV: 'test' }, '/nowhere'),
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^MEMORY +PASSES +ONE PASSWORD\n19 MiB +2 +\d+ ms$/m);
    expect(out).toContain('In force: 19 MiB, 2 passes.');
    const proposed: Record<string, string> = Object.fromEntries(
      [...out.matchAll(/^ {2}(ARGON2_\w+)=(\d+)$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    expect(Object.keys(proposed)).toEqual(['ARGON2_MEMORY_KIB', 'ARGON2_PASSES']);
    expect(loadConfig(proposed, '/nowhere').ARGON2_MEMORY_KIB).toBeGreaterThanOrEqual(19_456);
  });
});
