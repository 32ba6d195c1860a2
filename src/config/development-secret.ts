import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import { ConfigError } from './load-config.js';

const SECRET_BYTES = 32;
const OWNER_ONLY = 0o600;

/**
 * Returns the server secret of a development service. Creates it at the first start and stores it in the data folder.
 *
 * Processes that start concurrently get the same secret: `link()` creates the complete file atomically, and only once.
 *
 * @throws ConfigError when the file does not hold a secret
 */
export async function developmentSecret(dataDir: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, 'server-secret');
  await createOnce(path, randomBytes(SECRET_BYTES).toString('base64'));
  const secret = Buffer.from(await readFile(path, 'utf8'), 'base64');
  if (secret.length !== SECRET_BYTES)
    throw new ConfigError([`${path} does not hold a server secret; remove it to have a new one made`]);
  return secret;
}

async function createOnce(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, { mode: OWNER_ONLY });
  try {
    await link(draft, path);
  } catch (error) {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor, Error.isError, is not in Node 22
    if (!(isNativeError(error) && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(draft);
  }
}
