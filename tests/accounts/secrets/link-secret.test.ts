import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { deriveLinkSecret, verifyLinkSecret, type LinkPurpose } from '../../../src/accounts/secrets/link-secret.js';
import { ServerSecret } from '../../../src/accounts/secrets/server-secret.js';

const OLD = randomBytes(32);
const secret = new ServerSecret([OLD]);
const PURPOSES = ['invitation', 'verify-email', 'reset-password'] as const satisfies readonly LinkPurpose[];
const ROW = { id: '0198c0de-0000-7000-8000-00000000cafe', version: 3 };
const purpose = fc.constantFrom(...PURPOSES);
const row = fc.record({ id: fc.uuid(), version: fc.nat(0xffffffff) });

describe('deriveLinkSecret', () => {
  it('encodes its row and issue, in characters that need no escaping in a URL', () => {
    fc.assert(
      fc.property(purpose, row, (kind, linked) => {
        const text = deriveLinkSecret(secret, kind, linked);
        expect(text).toMatch(/^[A-Za-z0-9_-]{70}$/);
        expect(verifyLinkSecret(secret, kind, text)).toEqual(linked);
      }),
    );
  });

  it('is deterministic, so that no secret is stored', () => {
    expect(deriveLinkSecret(secret, 'invitation', ROW)).toBe(
      deriveLinkSecret(secret, 'invitation', { ...ROW, id: ROW.id.toUpperCase() }),
    );
  });

  it('differs by purpose, row, issue and server secret', () => {
    const text = deriveLinkSecret(secret, 'invitation', ROW);
    expect(deriveLinkSecret(secret, 'invitation', { ...ROW, version: 4 })).not.toBe(text);
    expect(verifyLinkSecret(secret, 'verify-email', text)).toBeNull();
    expect(verifyLinkSecret(secret, 'reset-password', text)).toBeNull();
    expect(verifyLinkSecret(new ServerSecret([randomBytes(32)]), 'invitation', text)).toBeNull();
  });

  it('stays valid after a new server secret is added', () => {
    const text = deriveLinkSecret(secret, 'invitation', ROW);
    expect(verifyLinkSecret(new ServerSecret([randomBytes(32), OLD]), 'invitation', text)).toEqual(ROW);
  });

  it('is invalid with any character changed', () => {
    const text = deriveLinkSecret(secret, 'invitation', ROW);
    const character = fc.constantFrom(...'ABCXYZabcxyz0189-_');
    fc.assert(
      fc.property(fc.nat(text.length - 1), character, (at, other) => {
        fc.pre(text[at] !== other);
        expect(verifyLinkSecret(secret, 'invitation', text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  it.each(['', 'short', 'A'.repeat(70), 'A'.repeat(100_000), 'ü'.repeat(70), '\0\ud800'])(
    'rejects made-up text (%#)',
    (text) => {
      expect(verifyLinkSecret(secret, 'invitation', text)).toBeNull();
    },
  );

  it('throws for an issue out of range or an id that is no UUID', () => {
    expect(() => deriveLinkSecret(secret, 'invitation', { ...ROW, version: -1 })).toThrow('out of range');
    expect(() => deriveLinkSecret(secret, 'invitation', { ...ROW, version: 2 ** 32 })).toThrow('out of range');
    expect(() => deriveLinkSecret(secret, 'invitation', { ...ROW, id: 'x' })).toThrow('Invalid UUID');
  });
});
