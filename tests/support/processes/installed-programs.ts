import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** Programs that are no npm packages, by the Debian package that installs each. `.ci/run` installs all of them. */
const PACKAGES = {
  pg_basebackup: 'postgresql',
  initdb: 'postgresql',
  postgres: 'postgresql',
  pgbouncer: 'pgbouncer',
  nginx: 'nginx-light',
  faketime: 'faketime',
  unshare: 'util-linux',
  openssl: 'openssl',
  go: 'golang',
} as const;

export type Program = keyof typeof PACKAGES;

/**
 * Runs the tests when every program is installed. Otherwise they are skipped, with the reason in the title, unless
 * `TEST_PROGRAMS=required` is set (as `.ci/run` does): then one failing test names what is missing.
 */
export function describeWith(programs: readonly Program[], title: string, tests: () => void): void {
  const missing = programs.filter((program) => findProgram(program) === null);
  if (missing.length === 0) describe(title, tests);
  else describeMissing(title, missing.map((program) => `${program} (apt-get install ${PACKAGES[program]})`).join(', '));
}

/** Reports tests as not run, or as failed with `TEST_PROGRAMS=required`, because of what is missing. */
export function describeMissing(title: string, missing: string): void {
  describe(title, () => {
    if (process.env.TEST_PROGRAMS === 'required')
      it('has the programs that it needs', () => expect(`missing: ${missing}`).toBe('nothing missing'));
    else it.skip(`NOT RUN, missing: ${missing}`, () => undefined);
  });
}

/** The path of an installed program. Throws when it is not installed. */
export function programPath(program: Program): string {
  const path = findProgram(program);
  if (path === null) throw new Error(`${program} is not installed (apt-get install ${PACKAGES[program]})`);
  return path;
}

function findProgram(program: Program): string | null {
  return (
    searchFolders()
      .map((folder) => join(folder, program))
      .find(isExecutable) ?? null
  );
}

/** Debian keeps servers outside the search path of plain users. */
function searchFolders(): string[] {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/go/bin', ...postgresFolders()];
}

function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql';
  return existsSync(root)
    ? readdirSync(root)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(root, version, 'bin'))
    : [];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
