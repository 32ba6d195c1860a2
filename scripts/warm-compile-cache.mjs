/**
 * Writes V8's compiled code of what a start with the default settings imports, so that also the first start need not
 * compile it. `set-up/build.mjs` starts it, with the Node that runs the service: another version ignores the cache.
 *
 *   node scripts/warm-compile-cache.mjs <root>
 */
import { rmSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { COMMAND_PARTS, fileOfPart, readBundle, SERVICE_PARTS } from './set-up/bundle-parts.mjs';

const root = resolve(process.argv[2] ?? '.');
/** Named also in src/compile-cache.ts. */
const FOLDER = join(root, 'dist', '.compile-cache');
const outputs = readBundle(root);

rmSync(FOLDER, { recursive: true, force: true });
enableCompileCache(FOLDER);
for (const name of [...SERVICE_PARTS, ...COMMAND_PARTS])
  await import(pathToFileURL(join(root, fileOfPart(outputs, name))).href);
flushCompileCache();
// What was imported may have started timers.
process.exit(0);
