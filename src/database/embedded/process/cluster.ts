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
 * Makes PostgreSQL's data directory, unless there is one, and gives its superuser's password.
 *
 * It is made under another name and renamed when whole: a start that was killed half-way leaves nothing to trip over.
 * Text is compared byte by byte (locale C), so that no update of the machine's locales can break an index.
 */
export async function ensureCluster(home: ServerPaths, programs: PostgresBinaries, durable: boolean): Promise<string> {
  const password = await readFileIfExists(home.passwordFile);
  if ((await readFileIfExists(join(home.cluster, 'PG_VERSION'))) !== null) {
    if (password !== null) return password.trim();
    throw new EmbeddedServerError(
      `${home.passwordFile} is missing: without it the database in ${home.cluster} cannot be opened.`,
    );
  }
  await removeUnfinished(home.folder);
  return createCluster(home, programs, durable);
}

async function createCluster(home: ServerPaths, programs: PostgresBinaries, durable: boolean): Promise<string> {
  const password = randomBytes(PASSWORD_BYTES).toString('hex');
  await writePrivateFile(home.passwordFile, password, home.account);
  const unfinished = join(home.folder, `${UNFINISHED}${randomUUID()}`);
  await initialise(unfinished, home, programs, durable);
  await rename(unfinished, home.cluster);
  return password;
}

async function initialise(
  folder: string,
  home: ServerPaths,
  programs: PostgresBinaries,
  durable: boolean,
): Promise<void> {
  const args = [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${home.passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    await runTool(programs.initdb, args, home.account);
  } catch (cause) {
    throw new EmbeddedServerError(describeFailure(home, outputOf(cause)), { cause });
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
  const isTalkative = isRecord(error) && error.stderr !== undefined && error.stderr !== '';
  return String(isTalkative ? error.stderr : error).trim();
}

async function removeUnfinished(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(UNFINISHED));
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
