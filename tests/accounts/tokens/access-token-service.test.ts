import { createPublicKey, type KeyObject } from 'node:crypto';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import jwt from 'jsonwebtoken';
import { acceptedIssuers } from '../../../src/accounts/tokens/accepted-issuers.js';
import { AccessTokenService } from '../../../src/accounts/tokens/access-token-service.js';
import { generateSigningKeyPair } from '../../../src/accounts/tokens/key-pair.js';
import { DAY_SECONDS } from '../../../src/async/durations.js';
import { UnauthenticatedError } from '../../../src/errors/index.js';
import { forgeries } from './forgeries.js';
import { createTokenForger } from './token-forger.js';

const ISSUER = 'https://convene.example';
const USER = '0198c0de-0000-7000-8000-000000000001';
const SESSION = '0198c0de-0000-7000-8000-000000000002';
const TTL_SECONDS = 900;
const START = Date.parse('2026-03-01T12:00:00.750Z');
const IAT = Math.floor(START / 1_000);

const pair = generateSigningKeyPair();
const stranger = generateSigningKeyPair();

/** As the key store is seen from here: one known key. */
const known = new Map<string, KeyObject>();
const keys = {
  signingKey: () => pair,
  isInForce: (key: KeyObject) => [...known.values()].includes(key),
  findKey: (kid: string) => Promise.resolve(known.get(kid) ?? null),
};

let now = START;
let tokens: AccessTokenService;

beforeEach(() => {
  known.clear();
  known.set(pair.kid, pair.publicKey);
  now = START;
  tokens = newTokens();
});

function newTokens({ issuer = ISSUER, audience = ISSUER, hasPublicUrl = true } = {}): AccessTokenService {
  const clock = { now: () => new Date(now) };
  return new AccessTokenService({
    keys,
    clock,
    issuer,
    acceptsIssuer: acceptedIssuers(issuer, hasPublicUrl),
    audience,
    clientId: 'convene',
    ttlMs: TTL_SECONDS * 1_000,
  });
}

function issue(): string {
  return tokens.sign({ userId: USER, sessionId: SESSION, roles: ['USER'] }).accessToken;
}

const forger = createTokenForger({
  pair,
  issuer: ISSUER,
  audience: ISSUER,
  userId: USER,
  sessionId: SESSION,
  iat: IAT,
  ttlSeconds: TTL_SECONDS,
});
const { header: HEADER, claims: CLAIMS, forge } = forger;

async function reasonOf(token: string, verifier = tokens): Promise<string> {
  try {
    await verifier.verify(token);
    return 'accepted';
  } catch (error) {
    if (error instanceof UnauthenticatedError) return error.reason;
    throw error;
  }
}

describe('AccessTokenService', () => {
  it('returns the signed claims on verification', async () => {
    const { accessToken, expiresIn } = tokens.sign({ userId: USER, sessionId: SESSION, roles: ['USER', 'ADMIN'] });
    expect(expiresIn).toBe(TTL_SECONDS);
    await expect(tokens.verify(accessToken)).resolves.toEqual({
      iss: ISSUER,
      aud: ISSUER,
      sub: USER,
      client_id: 'convene',
      sid: SESSION,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: IAT,
      exp: IAT + TTL_SECONDS,
      roles: ['USER', 'ADMIN'],
    });
  });

  it('signs with the header of RFC 9068 and no other fields', () => {
    expect(jwt.decode(issue(), { complete: true })?.header).toEqual(HEADER);
  });

  it('signs a different token each time', () => {
    expect(issue()).not.toBe(issue());
  });

  it('accepts a token signed by the test, which proves that the forgeries below fail for their own fault', async () => {
    expect(await reasonOf(forge(HEADER, CLAIMS))).toBe('accepted');
  });

  it('accepts claims that a later version adds', async () => {
    const claims = await tokens.verify(forge(HEADER, { ...CLAIMS, amr: ['pwd'] }));
    expect(claims).toEqual(CLAIMS);
  });
});

describe('lifetime of an access token', () => {
  it.each([
    [-31, 'TOKEN_INVALID'],
    [-30, 'accepted'],
    [-5, 'accepted'],
    [0, 'accepted'],
    [TTL_SECONDS, 'accepted'],
    [TTL_SECONDS + 29, 'accepted'],
    [TTL_SECONDS + 30, 'TOKEN_EXPIRED'],
    [TTL_SECONDS + DAY_SECONDS, 'TOKEN_EXPIRED'],
  ])('%d s after its issue: %s', async (seconds, outcome) => {
    const token = issue();
    now = START + seconds * 1_000;
    expect(await reasonOf(token)).toBe(outcome);
  });

  it('ends by the clock although the signature is cached', async () => {
    const token = issue();
    expect(await reasonOf(token)).toBe('accepted');
    now += (TTL_SECONDS + 30) * 1_000;
    expect(await reasonOf(token)).toBe('TOKEN_EXPIRED');
    now -= 60_000;
    expect(await reasonOf(token)).toBe('accepted');
  });

  it('is at most the current setting when that was shortened', async () => {
    const long = forge(HEADER, { ...CLAIMS, exp: IAT + 4 * TTL_SECONDS });
    now = START + (TTL_SECONDS + 29) * 1_000;
    expect(await reasonOf(long)).toBe('accepted');
    now = START + (TTL_SECONDS + 30) * 1_000;
    expect(await reasonOf(long)).toBe('TOKEN_EXPIRED');
  });

  it('ends with its session, and is at least 1 s', () => {
    const lifeFor = (ms: number): number =>
      tokens.sign({ userId: USER, sessionId: SESSION, sessionExpiresAt: new Date(START + ms), roles: ['USER'] })
        .expiresIn;
    expect([TTL_SECONDS * 2_000, 60_250, 1_000, 0, -5_000].map(lifeFor)).toEqual([TTL_SECONDS, 61, 1, 1, 1]);
  });

  it('ends when its key is removed or replaced, although the signature is cached', async () => {
    const token = issue();
    expect(await reasonOf(token)).toBe('accepted');
    known.set(pair.kid, createPublicKey(stranger.privateKey));
    expect(await reasonOf(token)).toBe('TOKEN_INVALID');
    known.delete(pair.kid);
    expect(await reasonOf(token)).toBe('TOKEN_INVALID');
  });

  it('is checked once while 10,000 tokens are in use', async () => {
    const issued = Array.from({ length: 10_000 }, issue);
    const findKey = jest.spyOn(keys, 'findKey');
    for (let use = 0; use < 2; use += 1) for (const token of issued) await tokens.verify(token);
    expect(findKey).toHaveBeenCalledTimes(10_000);
    findKey.mockRestore();
  });

  it('has frozen claims', async () => {
    const claims = await tokens.verify(issue());
    expect(Object.isFrozen(claims)).toBe(true);
    expect(Object.isFrozen(claims.roles)).toBe(true);
  });
});

describe('AccessTokenService.findInForce', () => {
  it('finds only tokens that were verified before', async () => {
    const token = issue();
    expect(tokens.findInForce(token)).toBeNull();
    const claims = await tokens.verify(token);
    expect(tokens.findInForce(token)).toBe(claims);
    expect(tokens.findInForce(`x${token.slice(1)}`)).toBeNull();
    expect(tokens.findInForce('')).toBeNull();
  });

  it.each([
    ['before its issue', -31],
    ['after its expiry', TTL_SECONDS + 30],
  ])('finds no token %s', async (_, seconds) => {
    const token = issue();
    await tokens.verify(token);
    now = START + seconds * 1_000;
    expect(tokens.findInForce(token)).toBeNull();
  });

  it('finds no token whose key was removed', async () => {
    const token = issue();
    await tokens.verify(token);
    known.delete(pair.kid);
    expect(tokens.findInForce(token)).toBeNull();
  });
});

describe('forged access token', () => {
  it.each(forgeries(forger, stranger))('is invalid with %s', async (_what, token) => {
    expect(await reasonOf(token)).toBe('TOKEN_INVALID');
    expect(await reasonOf(token)).toBe('TOKEN_INVALID');
  });

  it('is never reported as expired', async () => {
    expect(await reasonOf(forge(HEADER, { ...CLAIMS, iat: IAT - 2_000, exp: IAT - 1_000 }))).toBe('TOKEN_EXPIRED');
    expect(await reasonOf(forge(HEADER, { ...CLAIMS, iat: IAT - 2_000, exp: IAT - 1_000 }, stranger.privateKey))).toBe(
      'TOKEN_INVALID',
    );
  });

  it('is invalid with any character of a valid one changed, also after that was cached', async () => {
    const token = issue();
    await tokens.verify(token);
    const character = fc.constantFrom(...'ABCDwxyz0189-_.');
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), character, async (at, other) => {
        fc.pre(token[at] !== other);
        expect(await reasonOf(token.slice(0, at) + other + token.slice(at + 1))).toBe('TOKEN_INVALID');
      }),
      { numRuns: 300 },
    );
  });

  it('is invalid with another last character that decodes to the same bytes', async () => {
    const token = issue();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const accepted = [];
    for (const last of alphabet) if ((await reasonOf(token.slice(0, -1) + last)) === 'accepted') accepted.push(last);
    expect(accepted).toEqual([token.at(-1)]);
  });

  it('is invalid for any text and payload', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary' }),
          fc.json().map((json) => forge(HEADER, json)),
        ),
        async (token) => {
          expect(await reasonOf(token)).toBe('TOKEN_INVALID');
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('access token of another process', () => {
  const at = (issuer: string) => newTokens({ issuer, hasPublicUrl: false });
  const signedBy = (issuer: string) =>
    at(issuer).sign({ userId: USER, sessionId: SESSION, roles: ['USER'] }).accessToken;

  it.each(['http://localhost:4001', 'http://localhost:65535', 'http://localhost'])(
    'is valid without PUBLIC_URL, with the issuer %s',
    async (issuer) => {
      await expect(at('http://localhost:4000').verify(signedBy(issuer))).resolves.toMatchObject({ iss: issuer });
    },
  );

  it.each(['https://localhost:4001', 'http://localhost.example', 'http://localhost:4001/', 'http://127.0.0.1:4001'])(
    'is invalid without PUBLIC_URL, with the issuer %s',
    async (issuer) => {
      expect(await reasonOf(signedBy(issuer), at('http://localhost:4000'))).toBe('TOKEN_INVALID');
    },
  );

  it('is invalid with another PUBLIC_URL', async () => {
    expect(await reasonOf(signedBy('http://localhost:4001'))).toBe('TOKEN_INVALID');
    expect(await reasonOf(issue(), at('http://localhost:4000'))).toBe('TOKEN_INVALID');
  });
});

describe('access token of another service', () => {
  it('is invalid although the key is the same', async () => {
    const token = issue();
    expect(await reasonOf(token, newTokens({ issuer: 'https://other.example' }))).toBe('TOKEN_INVALID');
    expect(await reasonOf(token, newTokens({ audience: 'https://other.example' }))).toBe('TOKEN_INVALID');
  });
});
