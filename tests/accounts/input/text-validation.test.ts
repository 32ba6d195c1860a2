import { describe, expect, it } from '@jest/globals';
import {
  countCharacters,
  normalizeText,
  validateDisplayName,
  validateStorableText,
  validateText,
} from '../../../src/accounts/input/text-validation.js';

const NAME = { min: 1, max: 20 };
const PROSE = { min: 0, max: 40, multiline: true };

describe('single-line text', () => {
  it.each([
    'Picnic',
    'Ёжик & друзья',
    '東京の会',
    'a',
    'x'.repeat(20),
    '😀'.repeat(20),
    '👨‍👩‍👧 family',
    '🏳️‍🌈 1️⃣ ❤️',
    'می‌خواهم',
    'क्‍ष',
    'e\u0301'.repeat(20),
  ])('accepts %j', (value) => {
    expect(validateText(value, NAME)).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['too much', 'x'.repeat(21)],
    ['NUL', 'a\0b'],
    ['a control character', 'a\u0007b'],
    ['a line break', 'a\nb'],
    ['a line separator', 'a\u2028b'],
    ['a lone surrogate', 'a\ud800'],
    ['a direction override', '\u202ealice'],
    ['a direction mark', 'alice\u200f'],
    ['a zero-width space', 'ali\u200bce'],
    ['a joiner among Latin letters', 'ali\u200dce'],
    ['a variation selector on a letter', 'a\ufe0f'],
    ['a byte order mark', 'a\ufeffb'],
    ['tag characters', 'a\u{e0041}'],
    ['an annotation anchor', 'a\ufff9b'],
    ['a noncharacter', 'a\uffff'],
    ['a Hangul filler', 'a\u3164b'],
    ['white space before', ' a'],
    ['white space after', 'a\u00a0'],
    ['only an empty braille cell', '\u2800'],
    ['only an accent', '\u0301'],
  ])('rejects %s', (_what, value) => {
    expect(validateText(value, NAME)).toMatch(/^must /);
  });

  it('never repeats the value in the error', () => {
    expect(validateText('secret\u200b', NAME)).not.toContain('secret');
  });
});

describe('multi-line text', () => {
  it.each(['', 'two\nlines\r\nand\ta tab\n', 'soft\u00adhyphen'])('accepts %j', (value) => {
    expect(validateText(value, PROSE)).toBeNull();
  });

  it.each(['x'.repeat(41), 'a\0', 'a\u001b[31m', '\u202ea', '\udc00', '\n \n'])('rejects %j', (value) => {
    expect(validateText(value, PROSE)).toMatch(/^must /);
  });
});

describe('limits', () => {
  it('count code points', () => {
    expect(countCharacters('a😀é')).toBe(3);
  });

  it('treat composed and decomposed letters alike', () => {
    expect(normalizeText('zoe\u0301')).toBe('zo\u00e9');
  });

  it.each([['é'], ['e\u0301'], ['👍🏽'], ['🇨🇭'], ['क्ष'], ['한'], ['각']])(
    'accept display names of 80 times %j and reject 81',
    (grapheme) => {
      expect(validateDisplayName(grapheme.repeat(80))).toBeNull();
      expect(validateDisplayName(grapheme.repeat(81))).toBe('must be 1 to 80 characters');
    },
  );

  it('accept display names of 400 code points and reject 401', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(validateDisplayName(family.repeat(57) + 'x')).toBeNull();
    expect(validateDisplayName(family.repeat(57) + 'xy')).toBe(
      'must be 1 to 80 characters, and at most 400 code points',
    );
    expect(validateDisplayName(`a${'\u0332'.repeat(399)}`)).toBeNull();
    expect(validateDisplayName(`a${'\u0332'.repeat(400)}`)).toBe(
      'must be 1 to 80 characters, and at most 400 code points',
    );
    expect(validateDisplayName('')).toBe('must be 1 to 80 characters');
  });

  it('detect text that PostgreSQL and UTF-8 cannot store', () => {
    expect(validateStorableText('pass\u0007word 😀')).toBeNull();
    expect(validateStorableText('a\0b')).not.toBeNull();
    expect(validateStorableText('a\ud83d')).not.toBeNull();
  });
});
