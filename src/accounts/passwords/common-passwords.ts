import { createRequire } from 'node:module';
import { z } from 'zod';

// The one file, not the package's entry: that unpacks every dictionary and takes three times the memory.
const passwords: unknown = createRequire(import.meta.url)('@zxcvbn-ts/language-common/src/passwords.json');

/** About 49,000 passwords that turn up most often in leaks, in lower case. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(z.array(z.string()).parse(passwords));

/** @param key the password's caseless key */
export function isCommonPassword(key: string): boolean {
  return COMMON_PASSWORDS.has(key);
}
