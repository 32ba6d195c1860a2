import { createRequire } from 'node:module';
import { z } from 'zod';

// Loads this file only: the entry point of the package unpacks all dictionaries.
const FILE = '@zxcvbn-ts/language-common/src/passwords.json';
const PASSWORDS = z.array(z.string());

let lines: string | null = null;

/**
 * Whether a password is among the about 49,000 that are frequent in leaks.
 *
 * They are read at the first call and searched as one text: a set of them would take ten times the memory, and the
 * search takes far less time than the hash that follows.
 *
 * @param key caseless key of the password
 */
export function isCommonPassword(key: string): boolean {
  return !key.includes('\n') && (lines ??= readLines()).includes(`\n${key}\n`);
}

/** Every password is between two line breaks. */
function readLines(): string {
  const passwords: unknown = createRequire(import.meta.url)(FILE);
  return `\n${PASSWORDS.parse(passwords).join('\n')}\n`;
}
