import { caselessKey } from './caseless-key.js';
import { countCharacters, normalizeText } from './text-validation.js';

const MIN_CHARACTERS = 3;
const MAX_CHARACTERS = 32;

/** Letters and digits of any script with their combining marks, and separators between them. */
const SHAPE = /^[\p{L}\p{Nd}][\p{Mn}\p{Mc}]*(?:[._-]*[\p{L}\p{Nd}][\p{Mn}\p{Mc}]*)*$/u;
/** Some letters and marks are invisible too, such as Hangul fillers and the combining grapheme joiner. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/**
 * Validates a username. Nothing is trimmed or replaced: the username is stored as typed, in NFC.
 *
 * @returns what is allowed, or null when the username is valid
 */
export function validateUsername(value: string): string | null {
  const name = normalizeText(value);
  const count = countCharacters(name);
  if (count < MIN_CHARACTERS || count > MAX_CHARACTERS)
    return `must be ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`;
  return isWellShaped(name) && isWellShaped(usernameKey(name))
    ? null
    : 'must be letters, digits, ".", "_" or "-", and begin and end with a letter or digit';
}

/** Unique key of a username. Computed only here, independent of the locale of the database. */
export function usernameKey(value: string): string {
  return caselessKey(value);
}

/** Applied to the key too, because some single characters decompose to phrases with spaces. */
function isWellShaped(name: string): boolean {
  return SHAPE.test(name) && !INVISIBLE.test(name);
}
