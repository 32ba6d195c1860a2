import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { buildUnlessFresh, filesUnder, fingerprintsOf } from './fingerprints.mjs';
import { serviceNode } from './node-version.mjs';
import { run, say, SetUpError } from './steps.mjs';

const SOURCE_FOLDER = 'src';
/** Browser code, which web-bundle.mjs bundles. */
const WEB_SOURCES = join('src', 'web') + sep;
/** Output of the compiler, which the bundler reads. */
const COMPILED_FOLDER = join('dist', 'compiled');
const BUNDLER = join('scripts', 'bundle-service.mjs');
const CACHE_WARMER = join('scripts', 'warm-compile-cache.mjs');
/** package-lock.json contains the versions of the compiler, of the bundler and of the bundled packages. */
const FURTHER_FILES = [
  'mikro-orm.config.ts',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
  BUNDLER,
  CACHE_WARMER,
  join('scripts', 'set-up', 'bundle-parts.mjs'),
];
/** Not bundled, because the command line of MikroORM must find its own classes in it. */
const ORM_CONFIG = "export { default } from './compiled/mikro-orm.config.js';\n";

/**
 * Compiles to dist/compiled and bundles that into the programs in dist/src, when any source or setting differs from
 * what dist/ was built of.
 *
 * Compares contents, not times. Deletes the output of deleted sources, which imports would still find. Copies files
 * that are not TypeScript.
 *
 * @throws SetUpError when the sources do not compile or cannot be bundled; dist/ then counts as stale
 */
export function buildIfStale(root) {
  const files = [...sourceFiles(root), ...FURTHER_FILES];
  const now = fingerprintsOf(root, files);
  buildUnlessFresh(join(root, 'dist', '.built.json'), now, () => {
    say('Building dist/.');
    removeLeftovers(root, now);
    compile(root);
    copyAssets(root, files);
    run(root, process.execPath, [join(root, BUNDLER), root], 'The service cannot be bundled; see above.');
    writeFileSync(join(root, 'dist', 'mikro-orm.config.js'), ORM_CONFIG);
    run(root, serviceNode(root), [join(root, CACHE_WARMER), root], 'The bundle cannot be loaded; see above.');
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
  if (!existsSync(join(root, COMPILED_FOLDER))) return;
  for (const output of filesUnder(root, COMPILED_FOLDER)) {
    const source = relative(COMPILED_FOLDER, output).replace(/\.js(\.map)?$/, '.ts');
    if (!(source in sources)) rmSync(join(root, output));
  }
}

function copyAssets(root, files) {
  for (const file of files.filter((name) => name.startsWith(SOURCE_FOLDER) && !name.endsWith('.ts'))) {
    const target = join(root, COMPILED_FOLDER, file);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(root, file), target);
  }
}
