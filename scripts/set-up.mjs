#!/usr/bin/env node
/**
 * Makes a clone ready to run: `node scripts/set-up.mjs` installs what package-lock.json names and bundles the browser
 * code of src/web, `--build` also compiles to dist/. Each step does nothing, quickly, when all is fresh.
 *
 * It runs before every npm script, on whatever Node the machine has (20 and newer), and therefore
 * depends on nothing but Node itself. The script after it finds the project's own Node first in its PATH.
 */
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './set-up/build.mjs';
import { requireNode } from './set-up/node-version.mjs';
import { installIfStale } from './set-up/packages.mjs';
import { SetUpError } from './set-up/steps.mjs';
import { bundleWebIfStale } from './set-up/web-bundle.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

try {
  installIfStale(root);
  requireNode(root);
  bundleWebIfStale(root);
  if (process.argv.includes('--build')) buildIfStale(root);
} catch (error) {
  if (!(error instanceof SetUpError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
