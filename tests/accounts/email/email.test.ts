import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GraphQLEmailAddress } from 'graphql-scalars';
import { emailKey, emailProblem } from '../../../src/accounts/email/email.js';

function scalarTakes(value: string): boolean {
  try {
    GraphQLEmailAddress.parseValue(value);
    return true;
  } catch {
    return false;
  }
}

const NASTY = [
  '', 'a', '@', 'a@', '@b.c', 'a@b', 'a@localhost', 'a@b.c', 'A.B+c@Example.ORG', 'a@b@c.d', ' a@b.c', 'a@b.c ', 'a@b.c\n', 'a b@c.d', 'a@b..c',
  'a@.b', 'a@b.', 'a@-b.c', 'a@b-.c', 'a@[127.0.0.1]', '"a b"@c.d', 'a\0@b.c', 'a@b.c\r\nBcc: x@y.z', 'é@b.c', 'a@é.c', 'a@xn--9ca.c', 'a@b.c,d@e.f',
  `a@${'b'.repeat(63)}.c`, `a@${'b'.repeat(64)}.c`, 'a@\ud800.c',
];

describe('an email address', () => {
  it.each(NASTY)('%j is judged as the GraphQL scalar judges it', (value) => {
    expect(emailProblem(value) === null).toBe(scalarTakes(value));
  });

  it('is judged as the GraphQL scalar judges it, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: fc.constantFrom('a', 'B', '@', '.', '-', '+', ' ', 'é') })), (value) => {
        expect(emailProblem(value) === null).toBe(scalarTakes(value) && value.length <= 254);
      }),
    );
  });

  it('has at most 254 characters', () => {
    const domain = `${'b'.repeat(60)}.example`;
    expect(emailProblem(`${'a'.repeat(253 - domain.length)}@${domain}`)).toBeNull();
    expect(emailProblem(`${'a'.repeat(254 - domain.length)}@${domain}`)).toBe('must be at most 254 characters');
  });

  it('is the same in any case', () => {
    expect(emailKey('Alice.Smith@Example.ORG')).toBe(emailKey('alice.smith@example.org'));
  });
});
