import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../../errors/index.js';
import type { ServerPaths } from '../files/server-paths.js';
import { describeFullDisk, isDiskFull } from '../system/disk-full.js';
import { EmbeddedServerError } from '../system/embedded-server-error.js';
import { readFileIfExists, writePrivateFile } from '../system/files.js';
import { runTool } from '../system/run-tool.js';
import type { PostgresBinaries } from './postgres-binaries.js';

export const SUPERUSER = 'convene';

const UNFINISHED = 'unfinished-';
const PASSWORD_BYTES = 24;
/** The message of `initdb` for a user id that /etc/passwd does not list. */
const NO_USER_NAME = 'could not look up effective user ID';

/**
 * Creates PostgreSQL's data directory when it is missing.
 *
 * A new directory gets its name when it is complete, so a killed start leaves none. Its locale is C, so no update of
 * the system's locales can break an index.
 *
 * @returns the password of the superuser
 * @throws EmbeddedServerError when the password is lost, or `initdb` fails
 */
export async function ensureCluster(paths: ServerPaths, binaries: PostgresBinaries, durable: boolean): Promise<string> {
  const password = await readFileIfExists(paths.passwordFile);
  if ((await readFileIfExists(join(paths.cluster, 'PG_VERSION'))) !== null) {
    if (password !== null) return password.trim();
    throw new EmbeddedServerError(
      `${paths.passwordFile} is missing: without it the database in ${paths.cluster} cannot be opened. ` +
        'Restore it from a backup, or name another data folder with DATA_DIR.',
    );
  }
  await removeUnfinished(paths.folder);
  return createCluster(paths, binaries, durable);
}

async function createCluster(paths: ServerPaths, binaries: PostgresBinaries, durable: boolean): Promise<string> {
  const password = randomBytes(PASSWORD_BYTES).toString('hex');
  await writePrivateFile(paths.passwordFile, password, paths.osUser);
  const unfinished = join(paths.folder, `${UNFINISHED}${randomUUID()}`);
  await runInitdb(unfinished, paths, binaries, durable);
  await rename(unfinished, paths.cluster);
  return password;
}

async function runInitdb(
  folder: string,
  paths: ServerPaths,
  binaries: PostgresBinaries,
  durable: boolean,
): Promise<void> {
  const args = [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${paths.passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    await runTool(binaries.initdb, args, paths.osUser);
  } catch (cause) {
    throw new EmbeddedServerError(describeFailure(paths, outputOf(cause)), { cause });
  }
}

function describeFailure({ folder }: ServerPaths, output: string): string {
  if (isDiskFull(output)) return describeFullDisk(folder);
  if (output.includes(NO_USER_NAME))
    return (
      `PostgreSQL creates its data directory only as a user with a name, and user ${process.geteuid?.()} has none: ` +
      'add it to /etc/passwd, start Convene as another user, or set DATABASE_URL.'
    );
  return `PostgreSQL could not create its data directory in ${folder}:\n${output}`;
}

function outputOf(error: unknown): string {
  const hasOutput = isRecord(error) && error.stderr !== undefined && error.stderr !== '';
  return String(hasOutput ? error.stderr : error).trim();
}

async function removeUnfinished(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(UNFINISHED));
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
