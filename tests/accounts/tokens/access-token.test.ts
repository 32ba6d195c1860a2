import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import jwt from 'jsonwebtoken';
import { AccessTokens } from '../../../src/accounts/tokens/access-token.js';
import { makeKeyPair } from '../../../src/accounts/tokens/key-pair.js';
import { UnauthenticatedError } from '../../../src/errors/index.js';

const ISSUER = 'https://convene.example';
const USER = '0198c0de-0000-7000-8000-000000000001';
const SESSION = '0198c0de-0000-7000-8000-000000000002';
const TTL_SECONDS = 900;
const START = Date.parse('2026-03-01T12:00:00.750Z');
const IAT = Math.floor(START / 1_000);

const pair = makeKeyPair();
const stranger = makeKeyPair();

/** As the key store is seen from here: one known key. */
const known = new Map<string, KeyObject>();
const keys = {
  signingKey: () => pair,
  knownKey: (kid: string) => known.get(kid) ?? null,
  findKey: (kid: string) => Promise.resolve(known.get(kid) ?? null),
};

let now = START;
let tokens: AccessTokens;

beforeEach(() => {
  known.clear();
  known.set(pair.kid, pair.publicKey);
  now = START;
  tokens = newTokens();
});

function newTokens(settings: { issuer?: string; audience?: string } = {}): AccessTokens {
  const clock = { now: () => new Date(now) };
  return new AccessTokens({ keys, clock, issuer: ISSUER, audience: ISSUER, clientId: 'convene', ttlMs: TTL_SECONDS * 1_000, ...settings });
}

function issue(): string {
  return tokens.sign({ userId: USER, sessionId: SESSION, roles: ['USER'] }).accessToken;
}

const HEADER = { alg: 'ES256', typ: 'at+jwt', kid: pair.kid };
const CLAIMS = {
  iss: ISSUER, aud: ISSUER, sub: USER, client_id: 'convene', sid: SESSION, jti: '0198c0de-0000-7000-8000-000000000003',
  iat: IAT, exp: IAT + TTL_SECONDS, roles: ['USER'],
};

function base64(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64url');
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

/** Signs whatever it is given, with our own key unless told otherwise: only the contents are wrong. */
function forge(header: unknown, claims: unknown, key: KeyObject = pair.privateKey): string {
  return signText(`${base64(header)}.${base64(claims)}`, key);
}

function signText(signed: string, key: KeyObject = pair.privateKey): string {
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

function without(name: keyof typeof CLAIMS): object {
  return Object.fromEntries(Object.entries(CLAIMS).filter(([claim]) => claim !== name));
}

async function reasonOf(token: string, verifier = tokens): Promise<string> {
  try {
    await verifier.verify(token);
    return 'accepted';
  } catch (error) {
    if (error instanceof UnauthenticatedError) return error.reason;
    throw error;
  }
}

describe('an access token', () => {
  it('comes back as the claims that were signed', async () => {
    const { accessToken, expiresIn } = tokens.sign({ userId: USER, sessionId: SESSION, roles: ['USER', 'ADMIN'] });
    expect(expiresIn).toBe(TTL_SECONDS);
    await expect(tokens.verify(accessToken)).resolves.toEqual({
      iss: ISSUER, aud: ISSUER, sub: USER, client_id: 'convene', sid: SESSION, jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: IAT, exp: IAT + TTL_SECONDS, roles: ['USER', 'ADMIN'],
    });
  });

  it('has the header of RFC 9068 and nothing more', () => {
    expect(jwt.decode(issue(), { complete: true })?.header).toEqual(HEADER);
  });

  it('is a new one each time', () => {
    expect(issue()).not.toBe(issue());
  });

  it('can be made by hand, which shows that the forgeries below fail for what is wrong with them', async () => {
    expect(await reasonOf(forge(HEADER, CLAIMS))).toBe('accepted');
  });

  it('may carry claims that a later version adds', async () => {
    const claims = await tokens.verify(forge(HEADER, { ...CLAIMS, amr: ['pwd'] }));
    expect(claims).toEqual(CLAIMS);
  });
});

describe('the life of an access token', () => {
  it.each([
    [-31, 'TOKEN_INVALID'],
    [-30, 'accepted'],
    [-5, 'accepted'],
    [0, 'accepted'],
    [TTL_SECONDS, 'accepted'],
    [TTL_SECONDS + 29, 'accepted'],
    [TTL_SECONDS + 30, 'TOKEN_EXPIRED'],
    [TTL_SECONDS + 86_400, 'TOKEN_EXPIRED'],
  ])('%d seconds after its issue: %s', async (seconds, outcome) => {
    const token = issue();
    now = START + seconds * 1_000;
    expect(await reasonOf(token)).toBe(outcome);
  });

  it('ends by the clock although its signature is remembered', async () => {
    const token = issue();
    expect(await reasonOf(token)).toBe('accepted');
    now += (TTL_SECONDS + 30) * 1_000;
    expect(await reasonOf(token)).toBe('TOKEN_EXPIRED');
    now -= 60_000;
    expect(await reasonOf(token)).toBe('accepted');
  });

  it('ends no later than one of now, when the setting was shortened since', async () => {
    const long = forge(HEADER, { ...CLAIMS, exp: IAT + 4 * TTL_SECONDS });
    now = START + (TTL_SECONDS + 29) * 1_000;
    expect(await reasonOf(long)).toBe('accepted');
    now = START + (TTL_SECONDS + 30) * 1_000;
    expect(await reasonOf(long)).toBe('TOKEN_EXPIRED');
  });

  it('ends with its session, and lasts a second at least', () => {
    const lifeFor = (ms: number): number =>
      tokens.sign({ userId: USER, sessionId: SESSION, sessionExpiresAt: new Date(START + ms), roles: ['USER'] }).expiresIn;
    expect([TTL_SECONDS * 2_000, 60_250, 1_000, 0, -5_000].map(lifeFor)).toEqual([TTL_SECONDS, 61, 1, 1, 1]);
  });

  it('ends when its key is taken away or replaced, although its signature is remembered', async () => {
    const token = issue();
    expect(await reasonOf(token)).toBe('accepted');
    known.set(pair.kid, createPublicKey(stranger.privateKey));
    expect(await reasonOf(token)).toBe('TOKEN_INVALID');
    known.delete(pair.kid);
    expect(await reasonOf(token)).toBe('TOKEN_INVALID');
  });

  it('cannot be altered by whoever gets the claims', async () => {
    const claims = await tokens.verify(issue());
    expect(Object.isFrozen(claims)).toBe(true);
    expect(Object.isFrozen(claims.roles)).toBe(true);
  });
});

/** The same bytes in another spelling: the last character has bits that nobody reads. */
function withSpareBit(part: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return part.slice(0, -1) + (alphabet[alphabet.indexOf(part.at(-1) ?? '') + 1] ?? '');
}

const { privateKey: rsaKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const publicPem = pair.publicKey.export({ format: 'pem', type: 'spki' }).toString();
const genuine = forge(HEADER, CLAIMS);
const [headerPart = '', claimsPart = '', signaturePart = ''] = genuine.split('.');

function hmacForgery(alg: string, hash: string, secret: string | Buffer): string {
  const signed = `${base64({ ...HEADER, alg })}.${base64(CLAIMS)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
}

function rsaForgery(): string {
  const signed = `${base64({ ...HEADER, alg: 'RS256' })}.${base64(CLAIMS)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), rsaKey).toString('base64url')}`;
}

const FORGERIES: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['no token at all', 'abc'],
  ['two parts', `${headerPart}.${claimsPart}`],
  ['four parts', `${genuine}.AAAA`],
  ['empty parts', '..'],
  ['a million dots', '.'.repeat(1_000_000)],
  ['a refresh token', randomBytes(20).toString('base64url')],
  ['more than 4096 characters', forge(HEADER, { ...CLAIMS, padding: 'x'.repeat(4_000) })],
  ['white space after', `${genuine} `],
  ['a line break after', `${genuine}\n`],
  ['padding', `${genuine}==`],
  ['NUL', `${genuine}\0`],

  ['alg none', `${base64({ ...HEADER, alg: 'none' })}.${claimsPart}.`],
  ['alg None', `${base64({ ...HEADER, alg: 'None' })}.${claimsPart}.`],
  ['alg none with a signature', forge({ ...HEADER, alg: 'none' }, CLAIMS)],
  ['HS256 with the public key as its secret', hmacForgery('HS256', 'sha256', publicPem)],
  ['HS384', hmacForgery('HS384', 'sha384', publicPem)],
  ['HS512, whose signature is as long as ours', hmacForgery('HS512', 'sha512', publicPem)],
  ['RS256', rsaForgery()],
  ['alg ES384', forge({ ...HEADER, alg: 'ES384' }, CLAIMS)],
  ['alg es256', forge({ ...HEADER, alg: 'es256' }, CLAIMS)],
  ['alg as a list', forge({ ...HEADER, alg: ['ES256'] }, CLAIMS)],
  ['no alg', forge({ typ: HEADER.typ, kid: HEADER.kid }, CLAIMS)],

  ['an empty signature', `${headerPart}.${claimsPart}.`],
  ['a signature of zeros', `${headerPart}.${claimsPart}.${Buffer.alloc(64).toString('base64url')}`],
  ['a cut signature', genuine.slice(0, -1)],
  ['the signature of another token', `${headerPart}.${claimsPart}.${forge(HEADER, { ...CLAIMS, iat: IAT - 1 }).split('.')[2] ?? ''}`],
  ['a DER signature', `${headerPart}.${claimsPart}.${sign('sha256', Buffer.from(`${headerPart}.${claimsPart}`), pair.privateKey).toString('base64url')}`],
  ['altered claims', `${headerPart}.${base64({ ...CLAIMS, roles: ['ADMIN'] })}.${signaturePart}`],
  ['a stranger\'s key under our kid', forge(HEADER, CLAIMS, stranger.privateKey)],

  ['a stranger\'s kid', forge({ ...HEADER, kid: stranger.kid }, CLAIMS, stranger.privateKey)],
  ['no kid', forge({ alg: HEADER.alg, typ: HEADER.typ }, CLAIMS)],
  ['kid as a path', forge({ ...HEADER, kid: '../../../../dev/null' }, CLAIMS)],
  ['kid as SQL', forge({ ...HEADER, kid: '\' or 1=1 --' }, CLAIMS)],
  ['kid with NUL', forge({ ...HEADER, kid: `${pair.kid}\0` }, CLAIMS)],
  ['kid __proto__', forge({ ...HEADER, kid: '__proto__' }, CLAIMS)],
  ['kid as a number', forge({ ...HEADER, kid: 1 }, CLAIMS)],
  ['kid as an object', forge({ ...HEADER, kid: { toString: pair.kid } }, CLAIMS)],
  ['jku', forge({ ...HEADER, jku: 'https://evil.example/jwks' }, CLAIMS)],
  ['x5u', forge({ ...HEADER, x5u: 'https://evil.example/cert' }, CLAIMS)],
  ['jwk', forge({ ...HEADER, jwk: stranger.publicJwk }, CLAIMS, stranger.privateKey)],
  ['jwk instead of kid', forge({ alg: HEADER.alg, typ: HEADER.typ, jwk: stranger.publicJwk }, CLAIMS, stranger.privateKey)],
  ['an unknown crit', forge({ ...HEADER, crit: ['exp'] }, CLAIMS)],
  ['b64 false', forge({ ...HEADER, b64: false, crit: ['b64'] }, CLAIMS)],
  ['zip', forge({ ...HEADER, zip: 'DEF' }, CLAIMS)],
  ['typ JWT', forge({ ...HEADER, typ: 'JWT' }, CLAIMS)],
  ['no typ', forge({ alg: HEADER.alg, kid: HEADER.kid }, CLAIMS)],
  ['a header that is a list', forge(['ES256', 'at+jwt', pair.kid], CLAIMS)],
  ['a header that is null', forge('null', CLAIMS)],
  ['a header that is text', forge('"ES256"', CLAIMS)],
  ['a header that is no JSON', forge('{', CLAIMS)],
  ['a repeated header member', forge(`{"alg":"none","alg":"ES256","typ":"at+jwt","kid":"${pair.kid}"}`, CLAIMS)],

  ['no exp', forge(HEADER, without('exp'))],
  ['no iat', forge(HEADER, without('iat'))],
  ['no sub', forge(HEADER, without('sub'))],
  ['no sid', forge(HEADER, without('sid'))],
  ['no jti', forge(HEADER, without('jti'))],
  ['no iss', forge(HEADER, without('iss'))],
  ['no aud', forge(HEADER, without('aud'))],
  ['no client_id', forge(HEADER, without('client_id'))],
  ['no roles', forge(HEADER, without('roles'))],
  ['exp as text', forge(HEADER, { ...CLAIMS, exp: String(CLAIMS.exp) })],
  ['exp 1e308', forge(HEADER, JSON.stringify(CLAIMS).replace(String(CLAIMS.exp), '1e308'))],
  ['exp 1e+308', forge(HEADER, { ...CLAIMS, exp: 1e308 })],
  ['exp 1e400', forge(HEADER, JSON.stringify(CLAIMS).replace(String(CLAIMS.exp), '1e400'))],
  ['exp null', forge(HEADER, { ...CLAIMS, exp: null })],
  ['exp with a fraction', forge(HEADER, { ...CLAIMS, exp: CLAIMS.exp + 0.5 })],
  ['exp in milliseconds as a list', forge(HEADER, { ...CLAIMS, exp: [CLAIMS.exp] })],
  ['exp before iat', forge(HEADER, { ...CLAIMS, exp: IAT - 1 })],
  ['a negative iat', forge(HEADER, { ...CLAIMS, iat: -1 })],
  ['iat as text', forge(HEADER, { ...CLAIMS, iat: String(IAT) })],
  ['iat in the future', forge(HEADER, { ...CLAIMS, iat: IAT + 31 })],
  ['nbf in the future', forge(HEADER, { ...CLAIMS, nbf: IAT + 31 })],
  ['nbf as text', forge(HEADER, { ...CLAIMS, nbf: 'now' })],
  ['sub that is no UUID', forge(HEADER, { ...CLAIMS, sub: 'alice' })],
  ['sub in upper case', forge(HEADER, { ...CLAIMS, sub: '0198C0DE-0000-7000-8000-00000000000A' })],
  ['sub as a number', forge(HEADER, { ...CLAIMS, sub: 1 })],
  ['sub as a list', forge(HEADER, { ...CLAIMS, sub: [USER] })],
  ['sid that is no UUID', forge(HEADER, { ...CLAIMS, sid: '1' })],
  ['jti that is no UUID', forge(HEADER, { ...CLAIMS, jti: '' })],
  ['an empty client_id', forge(HEADER, { ...CLAIMS, client_id: '' })],
  ['a role that does not exist', forge(HEADER, { ...CLAIMS, roles: ['ROOT'] })],
  ['roles as text', forge(HEADER, { ...CLAIMS, roles: 'ADMIN' })],
  ['another issuer', forge(HEADER, { ...CLAIMS, iss: 'https://evil.example' })],
  ['the issuer with a slash', forge(HEADER, { ...CLAIMS, iss: `${ISSUER}/` })],
  ['another audience', forge(HEADER, { ...CLAIMS, aud: 'https://other.example' })],
  ['our audience among others', forge(HEADER, { ...CLAIMS, aud: [ISSUER, 'https://other.example'] })],
  ['another issuer, and expired', forge(HEADER, { ...CLAIMS, iss: 'x', iat: 1, exp: 2 })],
  ['a repeated claim', forge(HEADER, JSON.stringify(CLAIMS).replace('{', `{"sub":"${SESSION}",`))],
  ['a repeated claim in another spelling', forge(HEADER, JSON.stringify(CLAIMS).replace('}', `,"s\\u0075b":"${SESSION}"}`))],
  ['white space in the claims', forge(HEADER, JSON.stringify(CLAIMS, null, 1))],
  ['claims that are a list', forge(HEADER, [CLAIMS])],
  ['claims that are null', forge(HEADER, 'null')],
  ['claims that are text', forge(HEADER, '"x"')],
  ['claims that are no JSON', forge(HEADER, 'x')],
  ['claims that are no UTF-8', forge(HEADER, Buffer.from(JSON.stringify({ ...CLAIMS, name: 'é' }), 'latin1'))],
  ['spare bits in the claims', signText(`${headerPart}.${withSpareBit(base64({ ...CLAIMS, pad: 'x' }))}`)],
  ['deeply nested claims', forge(HEADER, '['.repeat(1_400) + ']'.repeat(1_400))],
  ['a polluted prototype', forge(HEADER, `{"__proto__":${JSON.stringify(CLAIMS)}}`)],
];

describe('a forged access token', () => {
  it.each(FORGERIES)('is invalid with %s', async (_what, token) => {
    expect(await reasonOf(token)).toBe('TOKEN_INVALID');
    expect(await reasonOf(token)).toBe('TOKEN_INVALID');
  });

  it('is not told that it has expired: that is for tokens that were good once', async () => {
    expect(await reasonOf(forge(HEADER, { ...CLAIMS, iat: IAT - 2_000, exp: IAT - 1_000 }))).toBe('TOKEN_EXPIRED');
    expect(await reasonOf(forge(HEADER, { ...CLAIMS, iat: IAT - 2_000, exp: IAT - 1_000 }, stranger.privateKey))).toBe('TOKEN_INVALID');
  });

  it('is invalid with any one character of a good one changed, also after the good one was seen', async () => {
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

  it('is invalid with every other spelling of the last character, which stands for the same bytes', async () => {
    const token = issue();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const accepted = [];
    for (const last of alphabet) if ((await reasonOf(token.slice(0, -1) + last)) === 'accepted') accepted.push(last);
    expect(accepted).toEqual([token.at(-1)]);
  });

  it('is invalid whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.json().map((json) => forge(HEADER, json))), async (token) => {
        expect(await reasonOf(token)).toBe('TOKEN_INVALID');
      }),
      { numRuns: 300 },
    );
  });
});

describe('a token of another service', () => {
  it('is invalid, although the key is the same', async () => {
    const token = issue();
    expect(await reasonOf(token, newTokens({ issuer: 'https://other.example' }))).toBe('TOKEN_INVALID');
    expect(await reasonOf(token, newTokens({ audience: 'https://other.example' }))).toBe('TOKEN_INVALID');
  });
});
