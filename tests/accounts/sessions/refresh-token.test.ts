import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { makeLinkSecret, readLinkSecret } from '../../../src/accounts/derived-secret.js';
import { ServerSecret } from '../../../src/accounts/server-secret.js';
import { makeRefreshToken, readRefreshToken } from '../../../src/accounts/sessions/refresh-token.js';

const OLD = randomBytes(32);
const secret = new ServerSecret([OLD]);
const generation = fc.record({ sessionId: fc.uuid(), generation: fc.integer({ min: 1, max: 0xffff_ffff }) });

describe('a refresh token', () => {
  it('says which generation of which session it is', () => {
    fc.assert(fc.property(generation, (named) => {
      const token = makeRefreshToken(secret, named);
      expect(token).toMatch(/^cvr_[A-Za-z0-9_-]{70}$/);
      expect(readRefreshToken(secret, token)).toEqual(named);
    }));
  });

  it('is the same each time that it is made, and another for every session and generation', () => {
    fc.assert(fc.property(generation, generation, (one, other) => {
      expect(makeRefreshToken(secret, one)).toBe(makeRefreshToken(secret, { ...one }));
      const isSame = one.sessionId === other.sessionId && one.generation === other.generation;
      expect(makeRefreshToken(secret, one) === makeRefreshToken(secret, other)).toBe(isSame);
    }));
  });

  it('is nobody\'s once a single character differs, is left out or is added', () => {
    const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.%\u0000 '.split('');
    fc.assert(fc.property(generation, fc.nat(), fc.constantFrom(...characters, ''), fc.boolean(), (named, at, character, adds) => {
      const token = makeRefreshToken(secret, named);
      const index = at % (token.length + 1);
      const altered = token.slice(0, index) + character + token.slice(adds ? index : index + 1);
      expect(readRefreshToken(secret, altered)).toEqual(altered === token ? named : null);
    }), { numRuns: 500 });
  });

  it('is nobody\'s under another server secret', () => {
    fc.assert(fc.property(generation, (named) => {
      expect(readRefreshToken(secret, makeRefreshToken(new ServerSecret([randomBytes(32)]), named))).toBeNull();
    }));
  });

  it('stays good when a new server secret is put in front of the old one, which makes its successors', () => {
    const renewed = new ServerSecret([randomBytes(32), OLD]);
    const named = { sessionId: '0198c0de-0000-7000-8000-000000000001', generation: 7 };
    const old = makeRefreshToken(secret, named);
    expect(readRefreshToken(renewed, old)).toEqual(named);
    expect(makeRefreshToken(renewed, named)).not.toBe(old);
  });

  it('is not the secret of a mailed link, nor the reverse', () => {
    const id = '0198c0de-0000-7000-8000-000000000001';
    for (const purpose of ['invitation', 'verify-email', 'reset-password'] as const) {
      const link = makeLinkSecret(secret, purpose, { id, issue: 1 });
      expect(readRefreshToken(secret, link)).toBeNull();
      expect(readRefreshToken(secret, `cvr_${link}`)).toBeNull();
      expect(readLinkSecret(secret, purpose, makeRefreshToken(secret, { sessionId: id, generation: 1 }).slice(4))).toBeNull();
    }
  });
});
