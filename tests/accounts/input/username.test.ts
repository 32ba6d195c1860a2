import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { usernameKey, validateUsername } from '../../../src/accounts/input/username.js';

describe('validateUsername', () => {
  it.each([
    'bob',
    'a.b-c_d',
    'a--b',
    '007',
    'zoé',
    'zoe\u0301',
    'Алёна',
    '東京太郎',
    'ประเสริฐ',
    'हिन्दी',
    'رضا١',
    '𝓪lice',
    'x'.repeat(32),
    '\u{1d4d0}'.repeat(32),
  ])('accepts %s', (name) => {
    expect(validateUsername(name)).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['too short', 'ab'],
    ['two characters in three code units', 'a😀'],
    ['three code points that compose to two', 'ae\u0301'],
    ['too long', 'x'.repeat(33)],
    ['far too long', 'x'.repeat(1_000_000)],
    ['separators only, at length', '.'.repeat(32)],
    ['white space before', ' alice'],
    ['white space after', 'alice '],
    ['white space within', 'al ice'],
    ['only white space', '   '],
    ['a line break', 'alice\n'],
    ['zero-width spaces', '\u200b\u200b\u200b'],
    ['a zero-width space within', 'ali\u200bce'],
    ['a joiner', 'ali\u200dce'],
    ['a direction override', '\u202ealice'],
    ['a control character', 'a\u0007b'],
    ['NUL', 'a\0b'],
    ['a lone surrogate', 'ab\ud800'],
    ['a soft hyphen', 'ali\u00adce'],
    ['a variation selector', 'ali\ufe0fce'],
    ['a grapheme joiner', 'ali\u034fce'],
    ['a Hangul filler', 'ab\u3164c'],
    ['a half-width Hangul filler', 'ab\uffa0c'],
    ['a letter that stands for a phrase with spaces', 'ab\ufdfac'],
    ['an isolated vowel sign with a space inside', 'ab\ufe70c'],
    ['a separator first', '.alice'],
    ['a separator last', 'alice_'],
    ['an accent first', '\u0301alice'],
    ['an accent on a separator', 'ali.\u0301ce'],
    ['an at sign', 'alice@example.org'],
    ['an emoji', 'alice😀'],
    ['a slash', 'a/b'],
    ['a fraction', 'a½b'],
  ])('rejects %s', (_what, name) => {
    expect(validateUsername(name)).toMatch(/^must be /);
  });

  it('rejects every email address, so that a login name has one meaning', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        expect(validateUsername(address)).not.toBeNull();
      }),
    );
  });

  it('accepts only names whose key has the same form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 3, maxLength: 32 }), (name) => {
        fc.pre(validateUsername(name) === null);
        expect(usernameKey(name)).toMatch(/^[\p{L}\p{M}\p{Nd}._-]+$/u);
      }),
      { numRuns: 500 },
    );
  });
});
