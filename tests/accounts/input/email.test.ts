import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { emailKey, validateEmail } from '../../../src/accounts/input/email.js';
import { EmailAddress } from '../../../src/graphql/leaf-types/scalars.js';

function scalarTakes(value: string): boolean {
  try {
    EmailAddress.parseValue(value);
    return true;
  } catch {
    return false;
  }
}

const TAKEN = [
  'a@b',
  'a@localhost',
  'a@b.c',
  'A.B+c@Example.ORG',
  'a@xn--9ca.c',
  `a@${'b'.repeat(63)}.c`,
  'a@1.2.3.4',
  "!#$%&'*+-/=?^_`{|}~@b.c",
  'a.b.c@d.e',
  'ada@münchen.de',
  'ada@MÜNCHEN.DE',
  'ada@mu\u0308nchen.de',
  'ada@straße.de',
  'ada@例え.テスト',
  'ada@例え。テスト',
  'ada@пример.рф',
  'ada@نامه\u200cای.com',
  'ada@münchen.xn--p1ai',
];

const REFUSED = [
  '',
  'a',
  '@',
  'a@',
  '@b.c',
  'a@b@c.d',
  ' a@b.c',
  'a@b.c ',
  'a@b.c\n',
  'a b@c.d',
  'a@b..c',
  'a@.b',
  'a@b.',
  'a@-b.c',
  'a@b-.c',
  'a@[127.0.0.1]',
  '"a b"@c.d',
  'a\0@b.c',
  'a@b.c\r\nBcc: x@y.z',
  'é@b.c',
  'a@b.c,d@e.f',
  `a@${'b'.repeat(64)}.c`,
  'a@\ud800.c',
  'a@b_c.d',
  'a..b@example.org',
  '.a@example.org',
  'a.@example.org',
  '.@example.org',
  '..@example.org',
  'a...b@example.org',
  'a@ü..de',
  'a@.ü',
  'a@ü.',
  'a@-ü.de',
  'a@ü-.de',
  'a@ü_b.de',
  'a@ü b.de',
  'a@ü%2e.de',
  'a@ü/x',
  'a@ü?x',
  'a@ü#x',
  'a@ü:80',
  'a@[ü]',
  'a@ü@b.de',
  'a@xn--ü.de',
  'a@mün\u00adchen.de',
  'a@mün\u200bchen.de',
  'a@mün\u200dchen.de',
  'a@ü\ufe0f.de',
  'a@\u202eü.de',
  'a@１２７.１',
  'a@ü.1',
  'a@ü\ud800.de',
  'a@ü\n.de',
  `a@${'ü'.repeat(60)}.de`,
];

describe('validateEmail', () => {
  it.each(TAKEN)('accepts %j', (value) => {
    expect([validateEmail(value), scalarTakes(value)]).toEqual([null, true]);
  });

  it.each(REFUSED)('rejects %j', (value) => {
    expect([validateEmail(value), scalarTakes(value)]).toEqual([expect.stringMatching(/^must be/), false]);
  });

  it('agrees with the GraphQL scalar on any text, except for the length', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.emailAddress(),
          fc.string({ unit: fc.constantFrom('a', 'B', '@', '.', '-', '+', ' ', 'é', '。', '1') }),
          fc.string({ unit: 'binary' }),
        ),
        (value) => {
          expect(validateEmail(value) === null).toBe(scalarTakes(value) && emailKey(value).length <= 254);
        },
      ),
    );
  });

  it('accepts at most 254 characters', () => {
    const domain = `${'b'.repeat(60)}.example`;
    expect(validateEmail(`${'a'.repeat(253 - domain.length)}@${domain}`)).toBeNull();
    expect(validateEmail(`${'a'.repeat(254 - domain.length)}@${domain}`)).toBe('must be at most 254 characters');
  });

  it('accepts at most 254 characters with the domain in ASCII, as mail servers receive it', () => {
    const domain = 'xn--mnchen-3ya.example';
    expect(validateEmail(`${'a'.repeat(253 - domain.length)}@münchen.example`)).toBeNull();
    expect(validateEmail(`${'a'.repeat(254 - domain.length)}@münchen.example`)).toBe(
      'must be at most 254 characters with its domain in ASCII',
    );
  });

  it('keeps the address as typed', () => {
    expect(EmailAddress.parseValue('Ada@MÜNCHEN.de')).toBe('Ada@MÜNCHEN.de');
    // Stored before dots were checked.
    expect(EmailAddress.serialize('a..b@example.org')).toBe('a..b@example.org');
  });
});

describe('emailKey', () => {
  it.each([
    ['Alice.Smith@Example.ORG', 'alice.smith@example.org'],
    ['Ada@MÜNCHEN.de', 'ada@xn--mnchen-3ya.de'],
    ['ada@mu\u0308nchen.de', 'ada@xn--mnchen-3ya.de'],
    ['ADA@XN--MNCHEN-3YA.DE', 'ada@xn--mnchen-3ya.de'],
    ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
    ['ada@ΟΔΟΣ.gr', 'ada@xn--pxavbq.gr'],
    ['no address', 'no address'],
    ['A@xn--ü.de', 'a@xn--ü.de'],
  ])('maps %s to %s', (value, key) => {
    expect(emailKey(value)).toBe(key);
  });

  it('is unchanged for ASCII addresses since Unicode domains are accepted', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.emailAddress(),
          fc.string({ unit: fc.constantFrom('a', 'B', '@', '.', '-', 'xn--', '1', '127.1') }),
        ),
        (value) => {
          expect(emailKey(value)).toBe(value.normalize('NFC').toLowerCase());
        },
      ),
    );
  });

  it('is idempotent', () => {
    for (const value of TAKEN) expect(emailKey(emailKey(value))).toBe(emailKey(value));
  });
});
