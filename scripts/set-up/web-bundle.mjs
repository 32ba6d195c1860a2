import { mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { buildUnlessFresh, filesUnder, fingerprintsOf } from './fingerprints.mjs';
import { say, SetUpError } from './steps.mjs';

const SOURCE_FOLDER = 'src/web';
/** Read by src/http/pages/web-bundle.ts, both compiled and as source. */
const BUNDLE_FOLDER = 'dist/web';
const STAMP = '.bundled.json';
/** package-lock.json contains the version of the bundler. */
const FURTHER_FILES = ['tsconfig.json', 'package-lock.json', 'scripts/set-up/web-bundle.mjs'];
const ENTRY_POINTS = [
  'app/app.css',
  'app/app-page.tsx',
  'api-reference/api-reference-page.css',
  'api-reference/api-reference-page.ts',
  'pages/page.css',
  'pages/invitation-page.ts',
  'pages/reset-password-page.ts',
  'pages/start-page.ts',
  'pages/verify-email-page.ts',
  'graphiql/graphiql-page.css',
  'graphiql/graphiql-page.ts',
];

/**
 * Bundles the browser code of src/web into dist/web when a source, a setting or the bundler has changed: one file per
 * entry point, without its folder. Does not check types, which `npm run typecheck` does.
 *
 * @throws SetUpError when the sources cannot be bundled; the bundle then counts as stale
 */
export function bundleWebIfStale(root) {
  const folder = join(root, BUNDLE_FOLDER);
  const now = fingerprintsOf(root, [...filesUnder(root, SOURCE_FOLDER), ...FURTHER_FILES]);
  mkdirSync(folder, { recursive: true });
  buildUnlessFresh(join(folder, STAMP), now, () => {
    say('Bundling src/web.');
    bundle(root);
    removeLeftovers(root);
  });
}

/** Loads the bundler only when there is something to bundle. */
function bundle(root) {
  try {
    createRequire(import.meta.url)('esbuild').buildSync({
      absWorkingDir: root,
      entryPoints: ENTRY_POINTS.map((file) => join(SOURCE_FOLDER, file)),
      outdir: BUNDLE_FOLDER,
      entryNames: '[name]',
      bundle: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2023',
      charset: 'utf8',
      minify: true,
      legalComments: 'none',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      loader: { '.graphql': 'text' },
      logLevel: 'warning',
    });
  } catch (error) {
    throw new SetUpError(`The pages in src/web cannot be bundled. (${error.message})`);
  }
}

function removeLeftovers(root) {
  const outputs = new Set(ENTRY_POINTS.map((file) => basename(file).replace(/\.tsx?$/, '.js')));
  for (const file of filesUnder(root, BUNDLE_FOLDER)) {
    if (!outputs.has(basename(file))) rmSync(join(root, file));
  }
}
