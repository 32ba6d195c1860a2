import { sign, type KeyObject } from 'node:crypto';
import type { KeyPair } from '../../../src/accounts/tokens/key-pair.js';

/** What a good token of the service says, and the key that signs it. */
export interface GenuineToken {
  readonly pair: KeyPair;
  readonly issuer: string;
  readonly audience: string;
  readonly userId: string;
  readonly sessionId: string;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly ttlSeconds: number;
}

/** Makes tokens by hand. */
export interface TokenForger {
  readonly pair: KeyPair;
  readonly header: Readonly<Record<'alg' | 'typ' | 'kid', string>>;
  readonly claims: {
    readonly iss: string;
    readonly aud: string;
    readonly sub: string;
    readonly client_id: string;
    readonly sid: string;
    readonly jti: string;
    readonly iat: number;
    readonly exp: number;
    readonly roles: readonly string[];
  };
  /** Signs whatever it is given, with the service's own key unless told otherwise: only the contents are wrong. */
  forge(header: unknown, claims: unknown, key?: KeyObject): string;
  /** The same for a header and claims that are encoded already. */
  signText(signed: string, key?: KeyObject): string;
}

export function createTokenForger({
  pair,
  issuer,
  audience,
  userId,
  sessionId,
  iat,
  ttlSeconds,
}: GenuineToken): TokenForger {
  const signText = (signed: string, key: KeyObject = pair.privateKey): string =>
    `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
  return {
    pair,
    header: { alg: 'ES256', typ: 'at+jwt', kid: pair.kid },
    claims: {
      iss: issuer,
      aud: audience,
      sub: userId,
      client_id: 'convene',
      sid: sessionId,
      jti: '0198c0de-0000-7000-8000-000000000003',
      iat,
      exp: iat + ttlSeconds,
      roles: ['USER'],
    },
    forge: (header, claims, key) => signText(`${base64(header)}.${base64(claims)}`, key),
    signText,
  };
}

export function base64(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64url');
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}
