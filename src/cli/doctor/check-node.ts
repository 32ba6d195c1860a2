import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { z } from 'zod';
import type { CheckResult } from './check-result.js';

const PACKAGE = z.object({ engines: z.object({ node: z.templateLiteral(['>=', z.string()]) }) });

export function checkNode(version = process.versions.node): CheckResult {
  const required = requiredVersion();
  return isAtLeast(version, required)
    ? { subject: 'Node', state: 'ok', text: version }
    : {
        subject: 'Node',
        state: 'error',
        text: `${version} is too old: install ${required} or later (https://nodejs.org).`,
      };
}

/** Reads `engines` of package.json. */
function requiredVersion(): string {
  const file = findPackageJSON(import.meta.url);
  if (file === undefined) throw new Error('Could not find package.json');
  return PACKAGE.parse(JSON.parse(readFileSync(file, 'utf8'))).engines.node.replace('>=', '');
}

function isAtLeast(version: string, required: string): boolean {
  return version.localeCompare(required, 'en', { numeric: true }) >= 0;
}
