import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findRunningServer } from '../../src/database/embedded/embedded-server.js';
import { findRunningPostmaster } from '../../src/database/embedded/files/pid-file.js';
import { candidateServerPaths } from '../../src/database/embedded/files/server-paths.js';
import { findFreePort } from '../../src/database/embedded/system/free-port.js';
import { makeTemporaryFolder, removeFolder } from '../support/temporary-folder.js';
import { RUN_TYPESCRIPT, startProcess, type TestProcess } from '../support/test-process.js';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** Each start compiles the sources anew, which takes its time on a busy machine. */
const LIMIT_MS = 600_000;
const CREDENTIALS = { username: 'ada', password: 'seven quiet lanterns' };

let folder: string;
let port: number;
let running: TestProcess[];

beforeEach(async () => {
  [folder, port] = await Promise.all([makeTemporaryFolder(), findFreePort()]);
  running = [];
});
afterEach(async () => {
  for (const service of running) {
    service.send('SIGTERM');
    await service.ended();
  }
  await removeFolder(folder);
}, LIMIT_MS);

async function start(): Promise<TestProcess> {
  const service = startProcess([...RUN_TYPESCRIPT, MAIN], { PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'info' });
  running.push(service);
  await service.wrote('Convene serves on');
  return service;
}

function post(path: string, body: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Of the server that the folder's data belong to, whoever owns it. */
async function postmaster(): Promise<number | null> {
  for (const home of candidateServerPaths(folder)) {
    const pid = await findRunningPostmaster(home.cluster);
    if (pid !== null) return pid;
  }
  return null;
}

describe('a service that is killed', () => {
  it(
    'just starts again, with everything that it had promised',
    async () => {
      const first = await start();
      expect((await post('/api/auth/register', CREDENTIALS)).status).toBe(201);
      first.send('SIGKILL');
      expect(await first.ended()).toEqual({ code: null, signal: 'SIGKILL' });
      const orphan = await postmaster();
      expect(orphan).not.toBeNull();

      const second = await start();
      expect(second.output()).toContain(`Stopping the embedded PostgreSQL (process ${orphan})`);
      expect((await post('/api/auth/token', CREDENTIALS)).status).toBe(200);

      second.send('SIGTERM');
      expect(await second.ended()).toEqual({ code: 0, signal: null });
      expect(await postmaster()).toBeNull();
      expect(await findRunningServer(folder)).toBeNull();
    },
    LIMIT_MS,
  );
});
