import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { deriveLinkSecret, verifyLinkSecret } from '../../../src/accounts/secrets/link-secret.js';
import { ServerSecret } from '../../../src/accounts/secrets/server-secret.js';
import { signRefreshToken, verifyRefreshToken } from '../../../src/accounts/sessions/refresh-token.js';

const OLD = randomBytes(32);
const secret = new ServerSecret([OLD]);
const generation = fc.record({ sessionId: fc.uuid(), generation: fc.integer({ min: 1, max: 0xffff_ffff }) });

describe('refresh token', () => {
  it('encodes session and generation', () => {
    fc.assert(
      fc.property(generation, (named) => {
        const token = signRefreshToken(secret, named);
        expect(token).toMatch(/^cvr_[A-Za-z0-9_-]{70}$/);
        expect(verifyRefreshToken(secret, token)).toEqual(named);
      }),
    );
  });

  it('is deterministic, and differs by session and generation', () => {
    fc.assert(
      fc.property(generation, generation, (one, other) => {
        expect(signRefreshToken(secret, one)).toBe(signRefreshToken(secret, { ...one }));
        const isSame = one.sessionId === other.sessionId && one.generation === other.generation;
        expect(signRefreshToken(secret, one) === signRefreshToken(secret, other)).toBe(isSame);
      }),
    );
  });

  it('is invalid when a character is changed, removed or added', () => {
    const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.%\u0000 '.split('');
    fc.assert(
      fc.property(
        generation,
        fc.nat(),
        fc.constantFrom(...characters, ''),
        fc.boolean(),
        (named, at, character, adds) => {
          const token = signRefreshToken(secret, named);
          const index = at % (token.length + 1);
          const altered = token.slice(0, index) + character + token.slice(adds ? index : index + 1);
          expect(verifyRefreshToken(secret, altered)).toEqual(altered === token ? named : null);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is invalid under another server secret', () => {
    fc.assert(
      fc.property(generation, (named) => {
        expect(verifyRefreshToken(secret, signRefreshToken(new ServerSecret([randomBytes(32)]), named))).toBeNull();
      }),
    );
  });

  it('stays valid when a new server secret is put first, which signs its successors', () => {
    const renewed = new ServerSecret([randomBytes(32), OLD]);
    const named = { sessionId: '0198c0de-0000-7000-8000-000000000001', generation: 7 };
    const old = signRefreshToken(secret, named);
    expect(verifyRefreshToken(renewed, old)).toEqual(named);
    expect(signRefreshToken(renewed, named)).not.toBe(old);
  });

  it('is invalid as the secret of a mailed link, and vice versa', () => {
    const id = '0198c0de-0000-7000-8000-000000000001';
    for (const purpose of ['invitation', 'verify-email', 'reset-password'] as const) {
      const link = deriveLinkSecret(secret, purpose, { id, version: 1 });
      expect(verifyRefreshToken(secret, link)).toBeNull();
      expect(verifyRefreshToken(secret, `cvr_${link}`)).toBeNull();
      expect(
        verifyLinkSecret(secret, purpose, signRefreshToken(secret, { sessionId: id, generation: 1 }).slice(4)),
      ).toBeNull();
    }
  });
});
