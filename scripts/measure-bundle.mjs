#!/usr/bin/env node
/**
 * Prints the code that a start with the default settings loads, by package: `node scripts/measure-bundle.mjs`, after
 * `npm run build`.
 */
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileOfPart, readBundle, SERVICE_PARTS } from './set-up/bundle-parts.mjs';

const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const ROWS = 20;

const outputs = readBundle(resolve(dirname(fileURLToPath(import.meta.url)), '..'));
const loaded = new Set();
for (const name of ['main', ...SERVICE_PARTS]) load(fileOfPart(outputs, name));

const bytes = new Map();
for (const file of loaded) {
  for (const [input, { bytesInOutput }] of Object.entries(outputs[file].inputs)) {
    const name = PACKAGE.exec(input)?.[1] ?? 'src';
    bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
  }
}
const sorted = [...bytes].sort(([, one], [, other]) => other - one);
const rest = sorted.slice(ROWS).reduce((total, [, size]) => total + size, 0);
console.log('| package | kB |\n|---|---|');
for (const [name, size] of sorted.slice(0, ROWS)) console.log(`| \`${name}\` | ${kilobytes(size)} |`);
console.log(`| ${sorted.length - ROWS} others | ${kilobytes(rest)} |`);
console.log(`| ${loaded.size} files | ${kilobytes([...loaded].reduce((sum, file) => sum + outputs[file].bytes, 0))} |`);

/** Adds a file and those that it imports statically. */
function load(file) {
  if (loaded.has(file)) return;
  loaded.add(file);
  const imports = outputs[file].imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
  for (const { path } of imports) load(path);
}

function kilobytes(size) {
  return Math.round(size / 1_000);
}
