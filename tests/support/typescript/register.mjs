// Lets a separate process run TypeScript: node --import …/register.mjs file.ts. As in Jest, compiled files are cached
// and compiled again only when their content has changed.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SWC_OPTIONS } from './swc-options.mjs';

const require = createRequire(import.meta.url);
const CACHE = fileURLToPath(new URL('../../../.compile-cache/typescript', import.meta.url));
const COMPILER = `${require('@swc/core/package.json').version} ${JSON.stringify(SWC_OPTIONS)}`;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isOwn = isTypescript(context.parentURL) && specifier.startsWith('.');
    return nextResolve(isOwn ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
  load(url, context, nextLoad) {
    return isTypescript(url)
      ? { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true }
      : nextLoad(url, context);
  },
});

function isTypescript(url = '') {
  return url.startsWith('file:') && url.endsWith('.ts') && !url.includes('/node_modules/');
}

function compile(file) {
  const source = readFileSync(file, 'utf8');
  const kept = join(CACHE, `${createHash('sha256').update(`${COMPILER}\0${file}\0${source}`).digest('hex')}.js`);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const { code } = require('@swc/core').transformSync(source, {
      ...SWC_OPTIONS,
      filename: file,
      swcrc: false,
      sourceMaps: 'inline',
    });
    keep(kept, code);
    return code;
  }
}

/** Several processes may compile the same file concurrently. */
function keep(file, code) {
  mkdirSync(CACHE, { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, code);
  renameSync(unfinished, file);
}
