import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { z } from 'zod';
import type { CheckResult } from './check-result.js';

const PACKAGE = z.object({ engines: z.object({ node: z.templateLiteral(['>=', z.string()]) }) });

export function checkNode(version = process.versions.node): CheckResult {
  const needed = neededVersion();
  return isAtLeast(version, needed)
    ? { about: 'Node', state: 'fine', text: version }
    : {
        about: 'Node',
        state: 'wrong',
        text: `${version} is too old: install ${needed} or later (https://nodejs.org).`,
      };
}

/** `engines` in package.json is the one place that says so. */
function neededVersion(): string {
  const file = findPackageJSON(import.meta.url);
  if (file === undefined) throw new Error('Convene has lost its package.json.');
  return PACKAGE.parse(JSON.parse(readFileSync(file, 'utf8'))).engines.node.replace('>=', '');
}

function isAtLeast(version: string, needed: string): boolean {
  return version.localeCompare(needed, 'en', { numeric: true }) >= 0;
}
