import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { SetUpError, run, say } from './steps.mjs';

const SOURCE_FOLDER = 'src';
const FURTHER_FILES = ['mikro-orm.config.ts', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/**
 * Compiles to dist/ when any source or compiler setting differs from what dist/ was built of.
 *
 * Contents are compared, not times. What came from a source that is gone goes too: a leftover would still be found
 * by whoever imports it. Files that are not TypeScript are copied as they are.
 *
 * @throws SetUpError when the sources do not compile; dist/ then counts as stale
 */
export function buildIfStale(root) {
  const stamp = join(root, 'dist', '.built.json');
  const before = readStamp(stamp);
  const now = fingerprints(root);
  if (JSON.stringify(before) === JSON.stringify(now)) return;
  say('Building dist/.');
  rmSync(stamp, { force: true });
  removeLeftovers(root, now);
  compile(root);
  copyAssets(root, Object.keys(now));
  writeFileSync(stamp, JSON.stringify(now));
}

function readStamp(stamp) {
  return existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : {};
}

/** The hash of every file that the build depends on, by its path from the root. */
function fingerprints(root) {
  const files = [...filesUnder(root, SOURCE_FOLDER), ...FURTHER_FILES].sort();
  return Object.fromEntries(files.map((file) => [file, hash(readFileSync(join(root, file)))]));
}

function filesUnder(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)));
}

function hash(content) {
  return createHash('sha256').update(content).digest('base64');
}

function compile(root) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  if (!existsSync(compiler)) throw new SetUpError('The TypeScript compiler is missing: run `npm ci --include=dev`.');
  run(root, process.execPath, [compiler, '-p', 'tsconfig.build.json'], 'The sources do not compile; see above.');
}

function removeLeftovers(root, sources) {
  if (!existsSync(join(root, 'dist'))) return;
  for (const output of filesUnder(root, 'dist')) {
    const path = relative('dist', output);
    const source = path.replace(/\.js(\.map)?$/, '.ts');
    if (!path.startsWith('.') && !(source in sources)) rmSync(join(root, output));
  }
}

function copyAssets(root, files) {
  for (const file of files.filter((name) => name.startsWith(SOURCE_FOLDER) && !name.endsWith('.ts'))) {
    const target = join(root, 'dist', file);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(root, file), target);
  }
}
