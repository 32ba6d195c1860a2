import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isRoot } from '../../src/database/embedded/system/os-user.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';
import { describeWith, programPath } from '../support/processes/installed-programs.js';
import { RUN_TYPESCRIPT, startProcess } from '../support/processes/test-process.js';

const CLI = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const OWNER = fileURLToPath(new URL('../database/embedded/owner.mjs', import.meta.url));
const LIMIT_MS = 120_000;

let folder: string;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => removeFolder(folder));

/** Starts the embedded server in a separate process, and returns the output of its failed start. */
async function failToStart(dataDir: string, wrapper: readonly string[] = []): Promise<string> {
  const owner = startProcess([...wrapper, process.execPath, OWNER, dataDir], {}, '/usr/bin/env');
  expect(await owner.waitForExit()).toEqual({ code: 1, signal: null });
  return owner.output();
}

/** The command that runs another one with a file system in memory mounted on the folder. */
function onMount(target: string, options: string, prepare = 'true'): string[] {
  const user = isRoot() ? [] : ['--user', '--map-current-user', '--keep-caps'];
  const script = 'target=$1; shift; mount -t tmpfs -o "$1" none "$target"; shift; eval "$1"; shift; exec "$@"';
  return [programPath('unshare'), ...user, '--mount', 'sh', '-c', script, 'sh', target, options, prepare];
}

describe('a start on an unusable data folder', () => {
  it(
    'names a file, also as a parent',
    async () => {
      const file = join(folder, 'a file');
      await writeFile(file, '');
      expect(await failToStart(file)).toContain(`The data folder ${file} is a file or lies below one`);
      expect(await failToStart(join(file, 'x'))).toContain(`${join(file, 'x')} is a file or lies below one`);
    },
    LIMIT_MS,
  );

  it(
    'names a folder without rights',
    async () => {
      const parent = join(folder, 'closed');
      await mkdir(parent, { mode: 0o500 });
      const asUser = isRoot() ? ['setpriv', '--reuid=54321', '--regid=54321', '--clear-groups'] : [];
      const sentence = `This user may not write in the data folder ${join(parent, 'x')}`;
      expect(await failToStart(join(parent, 'x'), asUser)).toContain(sentence);
    },
    LIMIT_MS,
  );
});

describeWith(['unshare'], 'a start on a mounted data folder', () => {
  it(
    'names a read-only file system',
    async () => {
      const wrapper = onMount(folder, 'size=1m', 'mount -o remount,ro "$target"');
      expect(await failToStart(join(folder, 'data'), wrapper)).toContain(
        `The data folder ${join(folder, 'data')} is on a read-only file system`,
      );
    },
    LIMIT_MS,
  );

  it(
    'names a full disk',
    async () => {
      const fill = 'dd if=/dev/zero of="$target/file" bs=4k count=3 2> /dev/null; mkdir "$target/data"';
      expect(await failToStart(join(folder, 'data'), onMount(folder, 'size=8k,mode=711', fill))).toContain(
        `The disk of the data folder ${join(folder, 'data')} is full`,
      );
    },
    LIMIT_MS,
  );

  it(
    'names a disk without space for the database',
    async () => {
      expect(await failToStart(join(folder, 'data'), onMount(folder, 'size=8m,mode=711'))).toContain(
        `The disk of the database in ${join(folder, 'data', 'postgres')} is full`,
      );
    },
    LIMIT_MS,
  );

  it(
    'is preceded by a warning of doctor when little space is free',
    async () => {
      const doctor = startProcess(
        [...onMount(folder, 'size=80m,mode=711'), process.execPath, ...RUN_TYPESCRIPT, CLI, 'doctor'],
        { DATA_DIR: join(folder, 'data'), DATABASE_URL: 'postgres://user@127.0.0.1:1/none' },
        '/usr/bin/env',
      );
      await doctor.waitForExit();
      expect(doctor.output()).toMatch(/note +Data folder +.*, to be made: only 80 MiB are free/);
    },
    LIMIT_MS,
  );

  it(
    'states the remedy for a user without a name',
    async () => {
      const wrapper = [programPath('unshare'), '--user', '--map-user=54321'];
      expect(await failToStart(join(folder, 'data'), wrapper)).toContain('user 54321 has none: add it to /etc/passwd');
    },
    LIMIT_MS,
  );
});

describe('the environment', () => {
  it(
    'does not change the connections to the embedded server',
    async () => {
      const owner = startProcess([OWNER, folder], {
        PGSSLMODE: 'require',
        PGSSLNEGOTIATION: 'direct',
        PGHOST: 'database.invalid',
        PGUSER: 'stranger',
        PGDATABASE: 'strange',
        PGSERVICE: 'strange',
        PGOPTIONS: '-c search_path=strange',
        PGREPLICATION: 'database',
        PGCLIENT_ENCODING: 'LATIN1',
        PGDATA: '/nonexistent',
        TZ: 'Nowhere/Odd',
        LC_ALL: 'xx_YY',
      });
      await owner.waitForOutput('ready');
      // Creates a table over a new connection.
      owner.send('SIGINT');
      expect(await owner.waitForExit()).toEqual({ code: 0, signal: null });
    },
    LIMIT_MS,
  );
});
