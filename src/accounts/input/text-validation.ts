/** Everything stored and compared is NFC, so that a letter typed with a separate accent is the same letter. */
export function normalizeText(value: string): string {
  return value.normalize('NFC');
}

/** Characters as people count them in a limit: code points, so that an emoji is one and not two. */
export function countCharacters(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Characters as people see them: a family emoji is one (UAX 29). */
function countGraphemes(value: string): number {
  let count = 0;
  for (const _ of GRAPHEMES.segment(value)) count += 1;
  return count;
}

/** What no text may hold: PostgreSQL refuses NUL, and a lone surrogate has no UTF-8 form. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** @returns what is allowed, or null when the value can be stored and encoded */
export function validateStorableText(value: string): string | null {
  return UNSTORABLE.test(value) ? 'must be well-formed Unicode without NUL' : null;
}

export interface TextLimits {
  /** Fewest and most characters, in code points. */
  readonly min: number;
  readonly max: number;
  /** Prose: line breaks, tabs and white space at the ends are fine, and so are invisible characters. */
  readonly multiline?: boolean;
}

const FORBIDDEN_IN_LINE = /[\p{Control}\p{Surrogate}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}]/u;
const FORBIDDEN_IN_PROSE = /(?![\t\n\r])[\p{Control}\p{Surrogate}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u;
/** The controls that turn the direction of the text after them are among these. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;
/** U+2800 is a braille cell without dots. */
const VISIBLE = /[\p{L}\p{N}\p{P}]|(?!\u2800)\p{S}/u;
const WHITE_SPACE_AT_AN_END = /^\s|\s$/u;

/**
 * Whether a text that people read may be taken: names (one line) and descriptions (prose).
 *
 * Emoji made of several characters and the joiners that Persian and the Indic scripts write with are fine;
 * other invisible characters in a name are not, since two names could then look alike.
 *
 * @returns what is allowed, or null when the value is fine
 */
export function validateText(value: string, limits: TextLimits): string | null {
  const text = normalizeText(value);
  return (
    lengthProblem(text, limits) ??
    (limits.multiline === true ? proseProblem(text) : lineProblem(text)) ??
    blankProblem(text)
  );
}

const MOST_GRAPHEMES = 80;
const MOST_CODE_POINTS = 400;

/**
 * A display name is shown beside other people's, so it follows the rules of a one-line name.
 *
 * It is limited in graphemes, as people count, and in code points, since one grapheme can have any number of them.
 */
export function validateDisplayName(value: string): string | null {
  const text = normalizeText(value);
  if (countCharacters(text) > MOST_CODE_POINTS)
    return `must be 1 to ${MOST_GRAPHEMES} characters, and at most ${MOST_CODE_POINTS} code points`;
  const count = countGraphemes(text);
  if (count < 1 || count > MOST_GRAPHEMES) return `must be 1 to ${MOST_GRAPHEMES} characters`;
  return validateText(text, { min: 1, max: MOST_CODE_POINTS });
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

// The `v` flag is not in the compiler's target; every supported Node has it.
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
