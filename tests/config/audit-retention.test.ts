import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../../src/async/durations.js';
import { ConfigError, loadConfig } from '../../src/config/index.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';

async function retentionOf(environment: Readonly<Record<string, string>>): Promise<number | null> {
  const folder = await createTemporaryFolder();
  try {
    return loadConfig(environment, folder).AUDIT_RETENTION;
  } finally {
    await removeFolder(folder);
  }
}

describe('AUDIT_RETENTION', () => {
  it.each([
    ['1d', DAY_MS],
    ['24h', DAY_MS],
    ['3650d', 3_650 * DAY_MS],
    ['off', null],
  ])('parses %s', async (AUDIT_RETENTION, ms) => {
    expect(await retentionOf({ AUDIT_RETENTION })).toBe(ms);
  });

  it('is 365 days by default', async () => {
    expect(await retentionOf({})).toBe(365 * DAY_MS);
    expect(await retentionOf({ AUDIT_RETENTION: '' })).toBe(365 * DAY_MS);
  });

  it.each(['0d', '23h', '365', '-1d', '1e3d', '1y', 'on', 'OFF', 'off '])(
    'rejects "%s", which could delete the audit by mistake',
    async (AUDIT_RETENTION) => {
      await expect(retentionOf({ AUDIT_RETENTION })).rejects.toThrow(
        new ConfigError(['AUDIT_RETENTION must be at least a day, as in 365d, or off']),
      );
    },
  );
});
