import { createRequire } from 'node:module';
import { z } from 'zod';

// Loads this file only: the entry point of the package unpacks all dictionaries.
const FILE = '@zxcvbn-ts/language-common/src/passwords.json';
const PASSWORDS = z.array(z.string());

/** Lists of passwords by their first characters, each password between two line breaks. */
type PasswordLists = ReadonlyMap<string, string>;

const PREFIX_LENGTH = 2;

let lists: PasswordLists | null = null;

/**
 * Whether a password is among the about 49,000 that are frequent in leaks.
 *
 * They are read at the first call. Reason for texts: a set of the passwords would take ten times the memory. Reason for
 * many of them: a search through one text of 400 kB takes 0.2 ms and its place in the caches of the processor.
 *
 * @param key caseless key of the password
 */
export function isCommonPassword(key: string): boolean {
  lists ??= readLists();
  return !key.includes('\n') && lists.get(prefixOf(key))?.includes(`\n${key}\n`) === true;
}

function readLists(): PasswordLists {
  const passwords = PASSWORDS.parse(createRequire(import.meta.url)(FILE) as unknown);
  const groups = Map.groupBy(passwords, prefixOf);
  return new Map(Array.from(groups, ([prefix, group]) => [prefix, `\n${group.join('\n')}\n`]));
}

function prefixOf(password: string): string {
  return password.slice(0, PREFIX_LENGTH);
}
