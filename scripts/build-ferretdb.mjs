#!/usr/bin/env node
/**
 * Builds the MongoDB-compatible server of the tests: `node scripts/build-ferretdb.mjs` prints the path of the program,
 * or the reason why it cannot be built, with exit code 1.
 *
 * Go compiles `tests/support/ferretdb` once per version of its sources, into `node_modules/.cache/ferretdb`. The first
 * build downloads its modules and takes about 90 s. Later calls find the program and need no Go. Progress is printed to
 * standard error.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const SOURCE = join(ROOT, 'tests/support/ferretdb');
const SOURCES = ['main.go', 'go.mod', 'go.sum'];
const ENVIRONMENT = {
  CGO_ENABLED: '0',
  GOFLAGS: '-mod=readonly -buildvcs=false',
  // Go downloads the version that go.mod requires when the installed one is older.
  GOTOOLCHAIN: 'auto',
};

const program = join(ROOT, 'node_modules/.cache/ferretdb', fingerprint(), 'ferretdb');
try {
  if (!existsSync(program)) build(findGo());
  console.log(program);
} catch (error) {
  console.log(error.message);
  process.exitCode = 1;
}

function fingerprint() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const name of SOURCES) hash.update(readFileSync(join(SOURCE, name)));
  return hash.digest('hex').slice(0, 16);
}

function findGo() {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/go/bin'];
  const go = folders.map((folder) => join(folder, 'go')).find(isExecutable);
  if (go === undefined) throw new Error('Go 1.24 or later is not installed (https://go.dev/dl)');
  return go;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Concurrent builds write to files of their own, and the last one stays. */
function build(go) {
  console.error('Building FerretDB for the tests of jobs on MongoDB (about 90 s the first time).');
  const unfinished = `${program}.${process.pid}`;
  mkdirSync(dirname(program), { recursive: true });
  const { status, error, stderr } = spawnSync(go, ['build', '-trimpath', '-o', unfinished, '.'], {
    cwd: SOURCE,
    env: { ...process.env, ...ENVIRONMENT },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`FerretDB cannot be built: ${error?.message ?? lastLine(stderr)}`);
  renameSync(unfinished, program);
}

function lastLine(text) {
  return text.trim().split('\n').at(-1);
}
