import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { findFreePort } from '../../src/database/embedded/system/free-port.js';
import { isRoot } from '../../src/database/embedded/system/os-user.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';
import { describeWith, programPath } from '../support/processes/installed-programs.js';
import { RUN_TYPESCRIPT, startProcess, type TestProcess } from '../support/processes/test-process.js';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const OWNER = fileURLToPath(new URL('../database/embedded/owner.mjs', import.meta.url));
const LIMIT_MS = 300_000;
const STOP_LIMIT_MS = 10_000;

let folder: string;
let running: TestProcess[];
beforeEach(async () => {
  folder = await createTemporaryFolder();
  running = [];
});
afterEach(async () => {
  for (const each of running) {
    each.send('SIGKILL');
    await each.waitForExit();
  }
  await removeFolder(folder);
}, LIMIT_MS);

/** Starts Node as process 1 of a new PID namespace. A plain user needs a user namespace for that. */
function startAsFirstProcess(args: readonly string[], environment: Readonly<Record<string, string>> = {}): TestProcess {
  const user = isRoot() ? [] : ['--user', '--map-current-user'];
  const namespace = [...user, '--pid', '--fork', '--mount-proc', '--kill-child=KILL'];
  const started = startProcess([...namespace, process.execPath, ...args], environment, programPath('unshare'));
  running.push(started);
  return started;
}

/** The process that `unshare` has started, by its number outside the namespace. */
async function firstProcess({ pid }: TestProcess): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim());
}

async function kill(started: TestProcess, signal: NodeJS.Signals): Promise<void> {
  process.kill(await firstProcess(started), signal);
  await started.waitForExit();
}

describeWith(['unshare'], 'the service as process 1 of a container', () => {
  it(
    'starts after each crash, although the process numbers are the same',
    async () => {
      for (let crash = 1; crash <= 3; crash += 1) {
        const owner = startAsFirstProcess([OWNER, folder]);
        await owner.waitForOutput('ready');
        await kill(owner, 'SIGKILL');
      }
      const last = startAsFirstProcess([OWNER, folder]);
      await last.waitForOutput('ready');
      expect(last.output()).toContain('did not stop cleanly');
      await kill(last, 'SIGINT');
    },
    LIMIT_MS,
  );

  it(
    'stops with its database on SIGTERM, within 10 s',
    async () => {
      const service = startAsFirstProcess([...RUN_TYPESCRIPT, MAIN], {
        PORT: String(await findFreePort()),
        DATA_DIR: folder,
        LOG_LEVEL: 'info',
      });
      await service.waitForOutput('Convene serves on');
      const started = performance.now();
      await kill(service, 'SIGTERM');
      expect(await service.waitForExit()).toEqual({ code: 0, signal: null });
      expect(performance.now() - started).toBeLessThan(STOP_LIMIT_MS);

      const next = startAsFirstProcess([OWNER, folder]);
      await next.waitForOutput('ready');
      expect(next.output()).not.toContain('did not stop cleanly');
    },
    LIMIT_MS,
  );
});
