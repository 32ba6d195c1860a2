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

describe('an email address', () => {
  it.each(TAKEN)('is taken as %j', (value) => {
    expect([validateEmail(value), scalarTakes(value)]).toEqual([null, true]);
  });

  it.each(REFUSED)('is refused as %j', (value) => {
    expect([validateEmail(value), scalarTakes(value)]).toEqual([expect.stringMatching(/^must be/), false]);
  });

  it('is judged as the GraphQL scalar judges it, whatever it is, but for its length', () => {
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

  it('has at most 254 characters as it is typed', () => {
    const domain = `${'b'.repeat(60)}.example`;
    expect(validateEmail(`${'a'.repeat(253 - domain.length)}@${domain}`)).toBeNull();
    expect(validateEmail(`${'a'.repeat(254 - domain.length)}@${domain}`)).toBe('must be at most 254 characters');
  });

  it('has at most 254 characters with its domain in ASCII, which is what mail servers see', () => {
    const domain = 'xn--mnchen-3ya.example';
    expect(validateEmail(`${'a'.repeat(253 - domain.length)}@münchen.example`)).toBeNull();
    expect(validateEmail(`${'a'.repeat(254 - domain.length)}@münchen.example`)).toBe(
      'must be at most 254 characters with its domain in ASCII',
    );
  });

  it("is the scalar's value as it was typed", () => {
    expect(EmailAddress.parseValue('Ada@MÜNCHEN.de')).toBe('Ada@MÜNCHEN.de');
    // Stored before dots were checked.
    expect(EmailAddress.serialize('a..b@example.org')).toBe('a..b@example.org');
  });
});

describe('the key of an email address', () => {
  it.each([
    ['Alice.Smith@Example.ORG', 'alice.smith@example.org'],
    ['Ada@MÜNCHEN.de', 'ada@xn--mnchen-3ya.de'],
    ['ada@mu\u0308nchen.de', 'ada@xn--mnchen-3ya.de'],
    ['ADA@XN--MNCHEN-3YA.DE', 'ada@xn--mnchen-3ya.de'],
    ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
    ['ada@ΟΔΟΣ.gr', 'ada@xn--pxavbq.gr'],
    ['no address', 'no address'],
    ['A@xn--ü.de', 'a@xn--ü.de'],
  ])('of %s is %s', (value, key) => {
    expect(emailKey(value)).toBe(key);
  });

  it('of any address in ASCII is the one that it had before Unicode domains were accepted', () => {
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

  it('is its own key', () => {
    for (const value of TAKEN) expect(emailKey(emailKey(value))).toBe(emailKey(value));
  });
});
