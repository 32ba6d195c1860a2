/**
 * Writes V8's compiled code of what a start with the default settings imports, so that also the first start need not
 * compile it. `set-up/build.mjs` starts it, with the Node that runs the service: another version ignores the cache.
 *
 *   node scripts/warm-compile-cache.mjs <root>
 */
import { readFileSync, rmSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(process.argv[2] ?? '.');
/** Named also in src/compile-cache.ts. */
const FOLDER = join(root, 'dist', '.compile-cache');
const IMPORTED = [
  'run-service',
  'require-platform',
  'config/index',
  'serve',
  'app',
  'compose-http-server',
  'jobs/agenda/postgres-job-storage',
  'cli/run-cli',
  'cli/terminal/terminal',
];

const { outputs } = JSON.parse(readFileSync(join(root, 'dist', 'bundle.json'), 'utf8'));
const fileOf = new Map(Object.entries(outputs).map(([file, { entryPoint }]) => [entryPoint, file]));

rmSync(FOLDER, { recursive: true, force: true });
enableCompileCache(FOLDER);
for (const name of IMPORTED) {
  const file = fileOf.get(`dist/compiled/src/${name}.js`);
  if (file === undefined) throw new Error(`The bundle has no file for ${name}`);
  await import(pathToFileURL(join(root, file)).href);
}
flushCompileCache();
// What was imported may have started timers.
process.exit(0);
