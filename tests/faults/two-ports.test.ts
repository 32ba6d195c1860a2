import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../src/database/embedded/system/free-port.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TestClient } from '../support/http/test-client.js';
import { RUN_TYPESCRIPT, startProcess, type TestProcess } from '../support/processes/test-process.js';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** Each start compiles the sources again, which takes long on a busy machine. */
const LIMIT_MS = 600_000;
const CREDENTIALS = { username: 'ada', password: 'seven quiet lanterns' };
const SERVER_SECRET = Buffer.alloc(32, 'convene').toString('base64');

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

interface Running {
  readonly process: TestProcess;
  readonly folder: string;
  readonly url: string;
  readonly client: TestClient;
}

describe('two processes on one database without PUBLIC_URL', () => {
  let database: TestDatabase;
  let first: Running;
  let second: Running;

  async function start(): Promise<Running> {
    const [folder, port] = await Promise.all([createTemporaryFolder(), findFreePort()]);
    const settings = { PORT: String(port), DATA_DIR: folder, DATABASE_URL: database.url, SERVER_SECRET };
    const process = startProcess([...RUN_TYPESCRIPT, MAIN], settings);
    await process.waitForOutput('Convene serves on');
    const url = `http://localhost:${String(port)}`;
    return { process, folder, url, client: new TestClient(url) };
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    [first, second] = await Promise.all([start(), start()]);
  }, LIMIT_MS);
  afterAll(async () => {
    for (const { process, folder } of [first, second]) {
      process.send('SIGTERM');
      await process.waitForExit();
      await removeFolder(folder);
    }
    await database.drop();
  }, LIMIT_MS);

  async function logIn({ client }: Running): Promise<Tokens> {
    return (await client.post('/api/auth/token', CREDENTIALS)).body as Tokens;
  }

  it('accept the access and refresh tokens of each other', async () => {
    expect((await first.client.post('/api/auth/register', CREDENTIALS)).status).toBe(201);
    for (const [issuing, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const tokens = await logIn(issuing);
      expect((await other.client.with(tokens.access_token).get('/api/auth/me')).status).toBe(200);
      const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
      const refreshed = (await other.client.post('/api/auth/token', refresh)).body as Tokens;
      expect((await issuing.client.with(refreshed.access_token).get('/api/auth/me')).status).toBe(200);
    }
  });

  it('name in their metadata the URL that it is read from', async () => {
    for (const { client, url } of [first, second])
      expect((await client.get('/.well-known/oauth-authorization-server')).body).toMatchObject({
        issuer: url,
        jwks_uri: `${url}/.well-known/jwks.json`,
      });
  });
});
