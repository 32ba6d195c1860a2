import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../src/database/embedded/system/free-port.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';
import { RUN_TYPESCRIPT, startProcess } from '../support/processes/test-process.js';
import { waitUntil } from '../support/wait-until.js';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const SCRIPT = fileURLToPath(new URL('write-log-lines.ts', import.meta.url));
const LIMIT_MS = 120_000;
/** About 5 MB: more than the 1 MiB that stay pending. */
const MANY_LINES = 20_000;
/** More than the file may take, and less than what stays pending. */
const SOME_LINES = 2_000;

let folder: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => removeFolder(folder));

/** Runs the script through a shell that redirects standard output. */
function logLines(lines: number, redirection: string) {
  const command = `${redirection}; exec "$@"`;
  const args = ['-c', command, 'sh', process.execPath, ...RUN_TYPESCRIPT, SCRIPT, String(lines)];
  const child = spawn('/bin/sh', args, { env: { PATH: process.env['PATH'] }, stdio: 'pipe' });
  children.push(child);
  let reports = '';
  child.stderr.on('data', (chunk: Buffer) => (reports += chunk.toString()));
  return {
    child,
    reports: () => reports,
    hasReported: (text: string) => waitUntil(text, () => reports.includes(text), LIMIT_MS),
    logOne: () => child.stdin.write('more\n'),
    async end() {
      child.stdin.end();
      await once(child, 'exit');
      return { code: child.exitCode, signal: child.signalCode };
    },
  };
}

function parseLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log', () => {
  it(
    'drops and counts lines while no process reads the pipe, and then reports the number',
    async () => {
      const run = logLines(MANY_LINES, ':');
      await run.hasReported('all lines are logged');
      let text = '';
      run.child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
      await waitUntil('the report', () => text.includes('droppedLines'), LIMIT_MS);
      run.logOne();
      expect(await run.end()).toEqual({ code: 0, signal: null });

      const lines = parseLines(text);
      const received = lines.filter(({ line }) => line !== undefined).length;
      expect(received).toBeGreaterThan(1_000);
      expect(lines.slice(received)).toEqual([
        expect.objectContaining({ level: 50, droppedLines: MANY_LINES - received }),
        expect.objectContaining({ text: 'more' }),
      ]);
    },
    LIMIT_MS,
  );

  it(
    'does not keep the process when no process reads the pipe',
    async () => {
      const run = logLines(MANY_LINES, ':');
      await run.hasReported('all lines are logged');
      expect(await run.end()).toEqual({ code: 0, signal: null });
    },
    LIMIT_MS,
  );

  it(
    'does not end the process when its reader closes the pipe',
    async () => {
      const run = logLines(1, ':');
      run.child.stdout.destroy();
      await run.hasReported('all lines are logged');
      await run.hasReported('Could not write the log to standard output (EPIPE');
      run.logOne();
      await run.hasReported('one more line');
      expect(await run.end()).toEqual({ code: 0, signal: null });
    },
    LIMIT_MS,
  );

  it(
    'continues in a file that has reached the size limit when the file is truncated',
    async () => {
      const file = join(folder, 'service log');
      await writeFile(file, '');
      const run = logLines(SOME_LINES, `ulimit -f 8; exec >> '${file}'`);
      await run.hasReported('Could not write the log to standard output (EFBIG');
      await run.hasReported('all lines are logged');
      const size = (await readFile(file)).length;
      expect(size).toBeLessThanOrEqual(8 * 1024);
      await truncate(file);
      await waitUntil('the log continues', async () => (await readFile(file)).length > 0, LIMIT_MS);
      expect(await run.end()).toEqual({ code: 0, signal: null });
    },
    LIMIT_MS,
  );
});

describe('the service', () => {
  it(
    'starts, answers and stops with code 0 when nothing can be written to its outputs',
    async () => {
      const port = await findFreePort();
      const command = 'exec "$@" > /dev/full 2> /dev/full';
      const service = startProcess(
        ['-c', command, 'sh', process.execPath, ...RUN_TYPESCRIPT, MAIN],
        { PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'info' },
        '/bin/sh',
      );
      await waitUntil('it is ready', () => isReady(port), LIMIT_MS);
      service.send('SIGTERM');
      expect(await service.waitForExit()).toEqual({ code: 0, signal: null });
    },
    LIMIT_MS,
  );
});

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
