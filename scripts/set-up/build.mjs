import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { buildUnlessFresh, filesUnder, fingerprintsOf } from './fingerprints.mjs';
import { run, say, SetUpError } from './steps.mjs';

const SOURCE_FOLDER = 'src';
/** Browser code, which web-bundle.mjs bundles. */
const WEB_SOURCES = join('src', 'web') + sep;
/** Outputs of web-bundle.mjs and docs-pages.mjs. */
const OTHER_OUTPUTS = [join('dist', 'web') + sep, join('dist', 'docs') + sep];
const FURTHER_FILES = ['mikro-orm.config.ts', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/**
 * Compiles to dist/ when any source or compiler setting differs from what dist/ was built of.
 *
 * Compares contents, not times. Deletes the output of deleted sources, which imports would still find. Copies files
 * that are not TypeScript.
 *
 * @throws SetUpError when the sources do not compile; dist/ then counts as stale
 */
export function buildIfStale(root) {
  const files = [...sourceFiles(root), ...FURTHER_FILES];
  const now = fingerprintsOf(root, files);
  buildUnlessFresh(join(root, 'dist', '.built.json'), now, () => {
    say('Building dist/.');
    removeLeftovers(root, now);
    compile(root);
    copyAssets(root, files);
  });
}

function sourceFiles(root) {
  return filesUnder(root, SOURCE_FOLDER).filter((file) => !file.startsWith(WEB_SOURCES));
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
    const isOther = path.startsWith('.') || OTHER_OUTPUTS.some((folder) => output.startsWith(folder));
    if (!isOther && !(source in sources)) rmSync(join(root, output));
  }
}

function copyAssets(root, files) {
  for (const file of files.filter((name) => name.startsWith(SOURCE_FOLDER) && !name.endsWith('.ts'))) {
    const target = join(root, 'dist', file);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(root, file), target);
  }
}
