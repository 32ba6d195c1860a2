import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyPair } from '../../../src/accounts/tokens/key-pair.js';
import { base64, type TokenForger } from './token-forger.js';

/** Encodes the same bytes with another last character, some bits of which are unused. */
function withSpareBit(part: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return part.slice(0, -1) + (alphabet[alphabet.indexOf(part.at(-1) ?? '') + 1] ?? '');
}

/**
 * Tokens that are each wrong in one thing, with what that is.
 *
 * @param stranger a key that the service does not know
 */
export function forgeries(
  { pair, header, claims, forge, signText }: TokenForger,
  stranger: KeyPair,
): readonly (readonly [string, string])[] {
  const without = (name: keyof typeof claims): object =>
    Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name));
  const { privateKey: rsaKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const publicPem = pair.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const genuine = forge(header, claims);
  const [headerPart = '', claimsPart = '', signaturePart = ''] = genuine.split('.');

  function hmacForgery(alg: string, hash: string, secret: string | Buffer): string {
    const signed = `${base64({ ...header, alg })}.${base64(claims)}`;
    return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
  }

  function derForgery(): string {
    const signed = `${headerPart}.${claimsPart}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), pair.privateKey).toString('base64url')}`;
  }

  function rsaForgery(): string {
    const signed = `${base64({ ...header, alg: 'RS256' })}.${base64(claims)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), rsaKey).toString('base64url')}`;
  }

  return [
    ['nothing', ''],
    ['no token at all', 'abc'],
    ['two parts', `${headerPart}.${claimsPart}`],
    ['four parts', `${genuine}.AAAA`],
    ['empty parts', '..'],
    ['a million dots', '.'.repeat(1_000_000)],
    ['a refresh token', randomBytes(20).toString('base64url')],
    ['more than 4096 characters', forge(header, { ...claims, padding: 'x'.repeat(4_000) })],
    ['white space after', `${genuine} `],
    ['a line break after', `${genuine}\n`],
    ['padding', `${genuine}==`],
    ['NUL', `${genuine}\0`],

    ['alg none', `${base64({ ...header, alg: 'none' })}.${claimsPart}.`],
    ['alg None', `${base64({ ...header, alg: 'None' })}.${claimsPart}.`],
    ['alg none with a signature', forge({ ...header, alg: 'none' }, claims)],
    ['HS256 with the public key as its secret', hmacForgery('HS256', 'sha256', publicPem)],
    ['HS384', hmacForgery('HS384', 'sha384', publicPem)],
    ['HS512, whose signature is as long as ours', hmacForgery('HS512', 'sha512', publicPem)],
    ['RS256', rsaForgery()],
    ['alg ES384', forge({ ...header, alg: 'ES384' }, claims)],
    ['alg es256', forge({ ...header, alg: 'es256' }, claims)],
    ['alg as a list', forge({ ...header, alg: ['ES256'] }, claims)],
    ['no alg', forge({ typ: header.typ, kid: header.kid }, claims)],

    ['an empty signature', `${headerPart}.${claimsPart}.`],
    ['a signature of zeros', `${headerPart}.${claimsPart}.${Buffer.alloc(64).toString('base64url')}`],
    ['a cut signature', genuine.slice(0, -1)],
    [
      'the signature of another token',
      `${headerPart}.${claimsPart}.${forge(header, { ...claims, iat: claims.iat - 1 }).split('.')[2] ?? ''}`,
    ],
    ['a DER signature', derForgery()],
    ['altered claims', `${headerPart}.${base64({ ...claims, roles: ['ADMIN'] })}.${signaturePart}`],
    ["a stranger's key under our kid", forge(header, claims, stranger.privateKey)],

    ["a stranger's kid", forge({ ...header, kid: stranger.kid }, claims, stranger.privateKey)],
    ['no kid', forge({ alg: header.alg, typ: header.typ }, claims)],
    ['kid as a path', forge({ ...header, kid: '../../../../dev/null' }, claims)],
    ['kid as SQL', forge({ ...header, kid: "' or 1=1 --" }, claims)],
    ['kid with NUL', forge({ ...header, kid: `${pair.kid}\0` }, claims)],
    ['kid __proto__', forge({ ...header, kid: '__proto__' }, claims)],
    ['kid as a number', forge({ ...header, kid: 1 }, claims)],
    ['kid as an object', forge({ ...header, kid: { toString: pair.kid } }, claims)],
    ['jku', forge({ ...header, jku: 'https://evil.example/jwks' }, claims)],
    ['x5u', forge({ ...header, x5u: 'https://evil.example/cert' }, claims)],
    ['jwk', forge({ ...header, jwk: stranger.publicJwk }, claims, stranger.privateKey)],
    [
      'jwk instead of kid',
      forge({ alg: header.alg, typ: header.typ, jwk: stranger.publicJwk }, claims, stranger.privateKey),
    ],
    ['an unknown crit', forge({ ...header, crit: ['exp'] }, claims)],
    ['b64 false', forge({ ...header, b64: false, crit: ['b64'] }, claims)],
    ['zip', forge({ ...header, zip: 'DEF' }, claims)],
    ['typ JWT', forge({ ...header, typ: 'JWT' }, claims)],
    ['no typ', forge({ alg: header.alg, kid: header.kid }, claims)],
    ['a header that is a list', forge(['ES256', 'at+jwt', pair.kid], claims)],
    ['a header that is null', forge('null', claims)],
    ['a header that is text', forge('"ES256"', claims)],
    ['a header that is no JSON', forge('{', claims)],
    ['a repeated header member', forge(`{"alg":"none","alg":"ES256","typ":"at+jwt","kid":"${pair.kid}"}`, claims)],

    ['no exp', forge(header, without('exp'))],
    ['no iat', forge(header, without('iat'))],
    ['no sub', forge(header, without('sub'))],
    ['no sid', forge(header, without('sid'))],
    ['no jti', forge(header, without('jti'))],
    ['no iss', forge(header, without('iss'))],
    ['no aud', forge(header, without('aud'))],
    ['no client_id', forge(header, without('client_id'))],
    ['no roles', forge(header, without('roles'))],
    ['exp as text', forge(header, { ...claims, exp: String(claims.exp) })],
    ['exp 1e308', forge(header, JSON.stringify(claims).replace(String(claims.exp), '1e308'))],
    ['exp 1e+308', forge(header, { ...claims, exp: 1e308 })],
    ['exp 1e400', forge(header, JSON.stringify(claims).replace(String(claims.exp), '1e400'))],
    ['exp null', forge(header, { ...claims, exp: null })],
    ['exp with a fraction', forge(header, { ...claims, exp: claims.exp + 0.5 })],
    ['exp in milliseconds as a list', forge(header, { ...claims, exp: [claims.exp] })],
    ['exp before iat', forge(header, { ...claims, exp: claims.iat - 1 })],
    ['a negative iat', forge(header, { ...claims, iat: -1 })],
    ['iat as text', forge(header, { ...claims, iat: String(claims.iat) })],
    ['iat in the future', forge(header, { ...claims, iat: claims.iat + 31 })],
    ['nbf in the future', forge(header, { ...claims, nbf: claims.iat + 31 })],
    ['nbf as text', forge(header, { ...claims, nbf: 'now' })],
    ['sub that is no UUID', forge(header, { ...claims, sub: 'alice' })],
    ['sub in upper case', forge(header, { ...claims, sub: '0198C0DE-0000-7000-8000-00000000000A' })],
    ['sub as a number', forge(header, { ...claims, sub: 1 })],
    ['sub as a list', forge(header, { ...claims, sub: [claims.sub] })],
    ['sid that is no UUID', forge(header, { ...claims, sid: '1' })],
    ['jti that is no UUID', forge(header, { ...claims, jti: '' })],
    ['an empty client_id', forge(header, { ...claims, client_id: '' })],
    ['a role that does not exist', forge(header, { ...claims, roles: ['ROOT'] })],
    ['roles as text', forge(header, { ...claims, roles: 'ADMIN' })],
    ['another issuer', forge(header, { ...claims, iss: 'https://evil.example' })],
    ['the issuer with a slash', forge(header, { ...claims, iss: `${claims.iss}/` })],
    ['another audience', forge(header, { ...claims, aud: 'https://other.example' })],
    ['our audience among others', forge(header, { ...claims, aud: [claims.aud, 'https://other.example'] })],
    ['another issuer, and expired', forge(header, { ...claims, iss: 'x', iat: 1, exp: 2 })],
    ['a repeated claim', forge(header, JSON.stringify(claims).replace('{', `{"sub":"${claims.sid}",`))],
    [
      'a repeated claim in another spelling',
      forge(header, JSON.stringify(claims).replace('}', `,"s\\u0075b":"${claims.sid}"}`)),
    ],
    ['white space in the claims', forge(header, JSON.stringify(claims, null, 1))],
    ['claims that are a list', forge(header, [claims])],
    ['claims that are null', forge(header, 'null')],
    ['claims that are text', forge(header, '"x"')],
    ['claims that are no JSON', forge(header, 'x')],
    ['claims that are no UTF-8', forge(header, Buffer.from(JSON.stringify({ ...claims, name: 'é' }), 'latin1'))],
    ['spare bits in the claims', signText(`${headerPart}.${withSpareBit(base64({ ...claims, pad: 'x' }))}`)],
    ['deeply nested claims', forge(header, '['.repeat(1_400) + ']'.repeat(1_400))],
    ['a polluted prototype', forge(header, `{"__proto__":${JSON.stringify(claims)}}`)],
  ];
}
