import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { findFreePort } from '../../src/database/embedded/system/free-port.js';
import { isRoot } from '../../src/database/embedded/system/os-user.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';
import { describeWith, programPath } from '../support/processes/installed-programs.js';
import { RUN_TYPESCRIPT, startProcess, type TestProcess } from '../support/processes/test-process.js';
import { waitUntil } from '../support/wait-until.js';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const LIMIT_MS = 180_000;
const PASSWORD = 'seven quiet lanterns';
/** A table grows by pages, so some registrations succeed on a full disk. */
const MAX_REGISTRATIONS = 100;

let folder: string;
let port: number;
let service: TestProcess;
beforeEach(async () => {
  [folder, port] = await Promise.all([createTemporaryFolder(), findFreePort()]);
  service = startProcess(
    [...namespace(), 'sh', '-c', MOUNT, 'sh', folder, process.execPath, ...RUN_TYPESCRIPT, MAIN],
    { PORT: String(port), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'info', RATE_LIMITS: 'off' },
    programPath('unshare'),
  );
  await service.waitForOutput('Convene serves on');
}, LIMIT_MS);
afterEach(async () => {
  service.send('SIGTERM');
  await service.waitForExit();
  await removeFolder(folder);
}, LIMIT_MS);

/** Mounts a file system in memory on the first argument, and runs the others. */
const MOUNT = 'mount -t tmpfs -o size=80m,mode=711 none "$1"; shift; exec "$@"';

function namespace(): string[] {
  return isRoot() ? ['--mount'] : ['--user', '--map-current-user', '--keep-caps', '--mount'];
}

/** A file on the mounted file system, as other mount namespaces see it. */
function fillFile(): string {
  return join(`/proc/${service.pid}/root`, folder, 'fill');
}

async function fillDisk(): Promise<void> {
  const file = await open(fillFile(), 'w');
  try {
    for (;;) await file.write(Buffer.alloc(4_096));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    await file.close();
  }
}

function post(path: string, username: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
}

describeWith(['unshare'], 'a full disk of the embedded database', () => {
  it(
    'gives 503 with Retry-After, loses nothing that was confirmed, and heals when space is free',
    async () => {
      expect((await post('/api/auth/register', 'before')).status).toBe(201);
      await fillDisk();

      const confirmed = ['before'];
      let rejected: Response | null = null;
      for (let number = 1; rejected === null && number <= MAX_REGISTRATIONS; number += 1) {
        const response = await post('/api/auth/register', `user${number}`);
        if (response.status === 201) confirmed.push(`user${number}`);
        else rejected = response;
      }
      expect(rejected?.status).toBe(503);
      expect(rejected?.headers.get('retry-after')).toBe('1');

      await rm(fillFile());
      await waitUntil(
        'registrations work again',
        async () => (await post('/api/auth/register', 'after')).status === 201,
        LIMIT_MS,
      );
      for (const username of confirmed) expect((await post('/api/auth/token', username)).status).toBe(200);
    },
    LIMIT_MS,
  );
});
