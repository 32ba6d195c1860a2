import { createRequire } from 'node:module';
import { z } from 'zod';

// Loads this file only: the entry point of the package unpacks all dictionaries, which takes three times the memory.
const passwords: unknown = createRequire(import.meta.url)('@zxcvbn-ts/language-common/src/passwords.json');

/** About 49,000 passwords that are frequent in leaks, in lower case. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(z.array(z.string()).parse(passwords));

/** @param key caseless key of the password */
export function isCommonPassword(key: string): boolean {
  return COMMON_PASSWORDS.has(key);
}
