import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findRunningServer } from '../../src/database/embedded/embedded-server.js';
import { findRunningPostmaster } from '../../src/database/embedded/files/pid-file.js';
import { candidateServerPaths } from '../../src/database/embedded/files/server-paths.js';
import { findFreePort } from '../../src/database/embedded/system/free-port.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';
import { RUN_TYPESCRIPT, startProcess, type TestProcess } from '../support/processes/test-process.js';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** Each start compiles the sources again, which takes long on a busy machine. */
const LIMIT_MS = 600_000;
const CREDENTIALS = { username: 'ada', password: 'seven quiet lanterns' };

let folder: string;
let port: number;
let running: TestProcess[];

beforeEach(async () => {
  [folder, port] = await Promise.all([createTemporaryFolder(), findFreePort()]);
  running = [];
});
afterEach(async () => {
  for (const service of running) {
    service.send('SIGTERM');
    await service.waitForExit();
  }
  await removeFolder(folder);
}, LIMIT_MS);

async function start(): Promise<TestProcess> {
  const service = startProcess([...RUN_TYPESCRIPT, MAIN], { PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'info' });
  running.push(service);
  await service.waitForOutput('Convene serves on');
  return service;
}

function post(path: string, body: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The process id of the server that uses the folder's data, whichever process started it. */
async function postmaster(): Promise<number | null> {
  for (const home of candidateServerPaths(folder)) {
    const pid = await findRunningPostmaster(home.cluster);
    if (pid !== null) return pid;
  }
  return null;
}

describe('a service that is killed', () => {
  it(
    'starts again with its committed accounts, and stops cleanly',
    async () => {
      const first = await start();
      expect((await post('/api/auth/register', CREDENTIALS)).status).toBe(201);
      first.send('SIGKILL');
      expect(await first.waitForExit()).toEqual({ code: null, signal: 'SIGKILL' });
      const orphan = await postmaster();
      expect(orphan).not.toBeNull();

      const second = await start();
      expect(second.output()).toContain(`Stopping the embedded PostgreSQL (process ${orphan})`);
      expect((await post('/api/auth/token', CREDENTIALS)).status).toBe(200);

      second.send('SIGTERM');
      expect(await second.waitForExit()).toEqual({ code: 0, signal: null });
      expect(await postmaster()).toBeNull();
      expect(await findRunningServer(folder)).toBeNull();
    },
    LIMIT_MS,
  );
});
