import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { z } from 'zod';

const PACKAGE = z.object({ version: z.string() });

/** Reads the version of the service from package.json. */
export function readPackageVersion(): string {
  const file = findPackageJSON(import.meta.url);
  if (file === undefined) throw new Error('Could not find package.json');
  return PACKAGE.parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}
