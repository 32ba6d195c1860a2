import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

export type WebScript =
  | 'api-reference-page.js'
  | 'app-page.js'
  | 'graphiql-page.js'
  | 'invitation-page.js'
  | 'reset-password-page.js'
  | 'start-page.js'
  | 'verify-email-page.js';
export type WebStyle = 'api-reference-page.css' | 'app.css' | 'graphiql-page.css' | 'page.css';

/** Output of scripts/set-up/web-bundle.mjs. Compiled and plain sources find the same folder. */
const BUNDLE_FOLDER = join(dirname(findPackageJSON(import.meta.url) ?? ''), 'dist', 'web');

/**
 * Reads one bundled script or style of src/web.
 *
 * @throws Error when the file is missing: the project has not been built
 */
export function readWebBundle(file: WebScript | WebStyle): string {
  const path = join(BUNDLE_FOLDER, file);
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`${path} is missing; "npm run build" creates it`, { cause });
  }
}
