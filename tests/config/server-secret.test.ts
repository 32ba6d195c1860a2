import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { developmentSecret, loadConfig } from '../../src/config/index.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';

const SECRET = Buffer.alloc(32, 7).toString('base64');

let folder: string;

beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => removeFolder(folder));

describe('SERVER_SECRET', () => {
  it('has no fallback in production', () => {
    expect(() => loadConfig({ NODE_ENV: 'production' }, folder)).toThrow(/SERVER_SECRET/);
    expect(loadConfig({ NODE_ENV: 'production', SERVER_SECRET: SECRET }, folder).SERVER_SECRET).toEqual([
      Buffer.alloc(32, 7),
    ]);
  });

  it.each(['secret', SECRET.slice(0, 20), `${SECRET},short`, `,${SECRET}`])(
    'rejects a secret of another length without repeating it: %j',
    (SERVER_SECRET) => {
      const load = (): unknown => loadConfig({ NODE_ENV: 'production', SERVER_SECRET }, folder);
      expect(load).toThrow(/SERVER_SECRET must be 32 bytes in base64/);
      expect(load).not.toThrow(new RegExp(SERVER_SECRET.slice(0, 6).replaceAll('+', '\\+')));
    },
  );

  it('is created at random and stored with mode 0600 by a development service', async () => {
    const made = await developmentSecret(folder);
    expect(made).toHaveLength(32);
    expect(await developmentSecret(folder)).toEqual(made);
    expect((await stat(join(folder, 'server-secret'))).mode & 0o777).toBe(0o600);
    expect(await developmentSecret(join(folder, 'other'))).not.toEqual(made);
  });

  it('is the same for processes that start concurrently', async () => {
    const secrets = await Promise.all(Array.from({ length: 5 }, () => developmentSecret(folder)));
    for (const secret of secrets) expect(secret).toEqual(secrets[0]);
  });
});
