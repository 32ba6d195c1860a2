import { createRequire } from 'node:module';
import { describe, expect, it, jest } from '@jest/globals';
import { isCommonPassword } from '../../../src/accounts/passwords/common-passwords.js';

const PASSWORDS = createRequire(import.meta.url)('@zxcvbn-ts/language-common/src/passwords.json') as readonly string[];

describe('isCommonPassword', () => {
  it('recognizes every listed password', () => {
    expect(PASSWORDS.filter((password) => !isCommonPassword(password))).toEqual([]);
  });

  it('does not recognize parts of the list', () => {
    const [first = '', second = ''] = PASSWORDS;
    for (const key of ['', '\n', `${first}\n${second}`, `${first}\n`, 'password-', 'correct horse battery'])
      expect(isCommonPassword(key)).toBe(false);
  });

  it('searches a small part of the list', () => {
    const searched = jest.spyOn(String.prototype, 'includes');
    isCommonPassword('a password of a test');
    const lengths = searched.mock.contexts.map((text) => String(text).length);
    searched.mockRestore();

    expect(Math.max(...lengths)).toBeLessThan(10_000);
  });
});
