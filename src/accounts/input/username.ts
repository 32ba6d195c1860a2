import { caselessKey } from './caseless-key.js';
import { countCharacters, normalizeText } from './text-validation.js';

const FEWEST_CHARACTERS = 3;
const MOST_CHARACTERS = 32;

/** Letters and digits of any script with their accents and vowel signs, and separators between them. */
const SHAPE = /^[\p{L}\p{Nd}][\p{Mn}\p{Mc}]*(?:[._-]*[\p{L}\p{Nd}][\p{Mn}\p{Mc}]*)*$/u;
/** Some letters and marks are not seen either, such as the Hangul fillers and the grapheme joiner. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/**
 * Whether a username may be had. Nothing is trimmed or replaced: what is stored is what was typed, in NFC.
 *
 * @returns what is allowed, or null when the value is fine
 */
export function validateUsername(value: string): string | null {
  const name = normalizeText(value);
  const count = countCharacters(name);
  if (count < FEWEST_CHARACTERS || count > MOST_CHARACTERS)
    return `must be ${FEWEST_CHARACTERS} to ${MOST_CHARACTERS} characters`;
  return isWellShaped(name) && isWellShaped(usernameKey(name))
    ? null
    : 'must be letters, digits, ".", "_" or "-", and begin and end with a letter or digit';
}

/** What makes a username unique; computed nowhere else, and never by the database's locale. */
export function usernameKey(value: string): string {
  return caselessKey(value);
}

/** Asked of the key too: some single letters stand for whole phrases, with spaces. */
function isWellShaped(name: string): boolean {
  return SHAPE.test(name) && !INVISIBLE.test(name);
}
