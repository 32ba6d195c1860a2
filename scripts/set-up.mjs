#!/usr/bin/env node
/**
 * Prepares a clone: `node scripts/set-up.mjs` installs the packages of package-lock.json and bundles the browser code
 * of src/web. `--build` also compiles to dist/, and `--conformance` and `--comparison` install the packages of
 * tests/conformance and bench/comparison. A step that is up to date does nothing.
 *
 * It runs before every npm script, on the Node of the machine (20 and later), and therefore imports only modules of
 * Node. The npm script finds the Node of the project first in its PATH.
 */
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './set-up/build.mjs';
import { renderDocsIfStale } from './set-up/docs-pages.mjs';
import { requireNode } from './set-up/node-version.mjs';
import { installComparisonIfStale, installConformanceIfStale, installIfStale } from './set-up/packages.mjs';
import { requirePlatform } from './set-up/platform.mjs';
import { SetUpError } from './set-up/steps.mjs';
import { bundleWebIfStale } from './set-up/web-bundle.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

try {
  requirePlatform();
  installIfStale(root);
  requireNode(root);
  bundleWebIfStale(root);
  renderDocsIfStale(root);
  if (process.argv.includes('--build')) buildIfStale(root);
  if (process.argv.includes('--conformance')) installConformanceIfStale(root);
  if (process.argv.includes('--comparison')) installComparisonIfStale(root);
} catch (error) {
  if (!(error instanceof SetUpError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
