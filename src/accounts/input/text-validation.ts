/** Normalizes to NFC, the form in which all text is stored and compared. */
export function normalizeText(value: string): string {
  return value.normalize('NFC');
}

/** Counts code points, so that most emoji count as one character. */
export function countCharacters(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Counts grapheme clusters (UAX 29): an emoji of several code points counts as one. */
function countGraphemes(value: string): number {
  let count = 0;
  for (const _ of GRAPHEMES.segment(value)) count += 1;
  return count;
}

/** PostgreSQL rejects NUL, and a lone surrogate has no UTF-8 encoding. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** @returns what is allowed, or null when the text can be stored */
export function validateStorableText(value: string): string | null {
  return UNSTORABLE.test(value) ? 'must be well-formed Unicode without NUL' : null;
}

export interface TextLimits {
  /** In code points. */
  readonly min: number;
  readonly max: number;
  /** Also allows line breaks, tabs, white space at the ends and invisible characters. */
  readonly multiline?: boolean;
}

const FORBIDDEN_IN_LINE = /[\p{Control}\p{Surrogate}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}]/u;
const FORBIDDEN_IN_PROSE = /(?![\t\n\r])[\p{Control}\p{Surrogate}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u;
/** Includes the bidirectional controls. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;
/** U+2800 is the blank braille pattern. */
const VISIBLE = /[\p{L}\p{N}\p{P}]|(?!\u2800)\p{S}/u;
const WHITE_SPACE_AT_AN_END = /^\s|\s$/u;

/**
 * Validates a text that users read: a name (one line) or a description (several lines).
 *
 * A name may contain emoji of several code points, and the joiners of Persian and Indic scripts. Other invisible
 * characters are rejected, because two names could then look alike.
 *
 * @returns what is allowed, or null when the text is valid
 */
export function validateText(value: string, limits: TextLimits): string | null {
  const text = normalizeText(value);
  return (
    lengthProblem(text, limits) ??
    (limits.multiline === true ? proseProblem(text) : lineProblem(text)) ??
    blankProblem(text)
  );
}

const MAX_GRAPHEMES = 80;
const MAX_CODE_POINTS = 400;

/**
 * Validates a display name by the rules of a one-line name, because it is shown beside those of other users. Limited in
 * graphemes, as users count, and in code points, because one grapheme can have any number of them.
 *
 * @returns what is allowed, or null when the name is valid
 */
export function validateDisplayName(value: string): string | null {
  const text = normalizeText(value);
  if (countCharacters(text) > MAX_CODE_POINTS)
    return `must be 1 to ${MAX_GRAPHEMES} characters, and at most ${MAX_CODE_POINTS} code points`;
  const count = countGraphemes(text);
  if (count < 1 || count > MAX_GRAPHEMES) return `must be 1 to ${MAX_GRAPHEMES} characters`;
  return validateText(text, { min: 1, max: MAX_CODE_POINTS });
}

function lengthProblem(text: string, { min, max }: TextLimits): string | null {
  const count = countCharacters(text);
  if (count >= min && count <= max) return null;
  return min === 0 ? `must be at most ${max} characters` : `must be ${min} to ${max} characters`;
}

function proseProblem(text: string): string | null {
  return FORBIDDEN_IN_PROSE.test(text) ? 'must not contain control or bidirectional characters' : null;
}

function lineProblem(text: string): string | null {
  if (FORBIDDEN_IN_LINE.test(text) || INVISIBLE.test(withoutMeaningfulJoiners(text))) {
    return 'must be one line without control, invisible or bidirectional characters';
  }
  return WHITE_SPACE_AT_AN_END.test(text) ? 'must not begin or end with white space' : null;
}

function blankProblem(text: string): string | null {
  return text === '' || VISIBLE.test(text) ? null : 'must contain something visible';
}

// Built from a string, because the compiler's target does not know the `v` flag; every supported Node version does.
const EMOJI = new RegExp('\\p{RGI_Emoji}', 'gv');
/** Scripts whose spelling needs ZWNJ and ZWJ (compare the CONTEXTJ rules of RFC 5892). */
const JOINING = [
  'Arab',
  'Syrc',
  'Mong',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
  'Khmr',
  'Mymr',
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
const JOINER_INSIDE_A_WORD = new RegExp(`(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`, 'gu');

function withoutMeaningfulJoiners(text: string): string {
  return text.replace(EMOJI, '').replace(JOINER_INSIDE_A_WORD, '');
}
