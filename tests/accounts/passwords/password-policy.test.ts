import { describe, expect, it } from '@jest/globals';
import { normalizePassword, requireAcceptablePassword } from '../../../src/accounts/passwords/password-policy.js';
import { InvalidInputError } from '../../../src/errors/index.js';

const CONTEXT = { field: 'newPassword', minLength: 8, username: 'Zoé.Martín', email: 'Zoe@Example.org' };

function refusalOf(password: string, context = CONTEXT): InvalidInputError {
  try {
    requireAcceptablePassword(password, context);
  } catch (error) {
    if (error instanceof InvalidInputError) return error;
  }
  throw new Error('It was accepted');
}

describe('password policy', () => {
  it.each([
    ['of 8 characters', 'kfu4-qzt'],
    ['of 64 characters', 'a'.repeat(63) + 'b'],
    ['of 128 characters', 'x'.repeat(128)],
    ['of 128 characters of four bytes', '🦊'.repeat(128)],
    ['of letters only', 'correcthorsebatterystaple'],
    ['with spaces at the ends', '  brown fox  '],
    ['with a control character', 'kfu4\u0007qzt'],
  ])('accepts a password %s', (_what, password) => {
    expect(requireAcceptablePassword(password, CONTEXT)).toBe(password);
  });

  it.each([
    ['PASSWORD_TOO_SHORT', 'kfu4-qz'],
    ['PASSWORD_TOO_SHORT', '🦊🦊🦊🦊🦊🦊🦊'],
    ['PASSWORD_TOO_SHORT', 'kfu4-qe\u0301'],
    ['PASSWORD_TOO_LONG', 'x'.repeat(129)],
    ['PASSWORD_TOO_LONG', '🦊'.repeat(129)],
    ['PASSWORD_TOO_LONG', 'x'.repeat(5_000_000)],
    ['PASSWORD_TOO_COMMON', 'password'],
    ['PASSWORD_TOO_COMMON', 'PassWord'],
    ['PASSWORD_TOO_COMMON', 'ｐａｓｓｗｏｒｄ'],
    ['PASSWORD_TOO_COMMON', '1234567890'],
    ['PASSWORD_TOO_COMMON', 'zoé.martín'],
    ['PASSWORD_TOO_COMMON', 'ZOE\u0301.MARTÍN'],
    ['PASSWORD_TOO_COMMON', 'zoe@example.ORG'],
    ['INVALID_INPUT', 'kfu4\0qzt-'],
    ['INVALID_INPUT', 'kfu4-qzt\ud800'],
  ])('rejects with %s', (reason, password) => {
    const refusal = refusalOf(password);
    expect(refusal.reason).toBe(reason);
    expect(refusal.fields).toEqual([{ field: 'newPassword', message: expect.stringMatching(/^must /) }]);
  });

  it('applies the configured minimum length', () => {
    expect(requireAcceptablePassword('kfu4', { ...CONTEXT, minLength: 4 })).toBe('kfu4');
    expect(refusalOf('kfu4-qzt', { ...CONTEXT, minLength: 15 }).fields?.[0]?.message).toBe(
      'must be at least 15 characters',
    );
  });

  it('treats composed and decomposed letters alike', () => {
    expect(requireAcceptablePassword('zoe\u0301 goes home', CONTEXT)).toBe(normalizePassword('zoé goes home'));
  });

  it('works without an email address', () => {
    expect(requireAcceptablePassword('kfu4-qzt', { ...CONTEXT, email: null })).toBe('kfu4-qzt');
  });
});
