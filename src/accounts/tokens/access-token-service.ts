import { randomUUID, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { UnauthenticatedError } from '../../errors/index.js';
import type { AccountRole } from '../identity/account.entity.js';
import type { Clock } from '../ports/clock.js';
import { readClaims, type AccessTokenClaims } from './access-token-claims.js';
import { decodeJws } from './decode-jws.js';
import type { KeyStore } from './key-store.js';

/** How far the clocks of two nodes may be apart. */
export const CLOCK_SKEW_SECONDS = 30;

/** Verified tokens that are remembered, at about 2 KB each. */
const MOST_REMEMBERED = 5_000;

export interface AccessTokenOptions {
  readonly keys: Pick<KeyStore, 'signingKey' | 'knownKey' | 'findKey'>;
  readonly clock: Clock;
  readonly issuer: string;
  readonly audience: string;
  /** The `client_id` of tokens that are issued for a username and a password. */
  readonly clientId: string;
  readonly ttlMs: number;
}

export interface TokenSubject {
  readonly userId: string;
  readonly sessionId: string;
  /** No token outlives its session; absent for one whose end is not known. */
  readonly sessionExpiresAt?: Date;
  readonly roles: readonly AccountRole[];
}

export interface SignedAccessToken {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}

interface Verified {
  readonly claims: AccessTokenClaims;
  readonly kid: string;
  readonly key: KeyObject;
}

/**
 * Access tokens (RFC 9068): JWTs signed with ES256.
 *
 * `jsonwebtoken` is used here and nowhere else, since by itself it lets pass what must not: unknown critical
 * headers, any `typ`, tokens without an end, repeated members.
 */
export class AccessTokenService {
  readonly #settings: AccessTokenOptions;
  /** Checking a signature takes longer than anything else in a small request; whether it holds never changes. */
  readonly #verified = new LRUCache<string, Verified>({ max: MOST_REMEMBERED });

  constructor(settings: AccessTokenOptions) {
    this.#settings = settings;
  }

  sign({ userId, sessionId, sessionExpiresAt, roles }: TokenSubject): SignedAccessToken {
    const { keys, issuer, audience, clientId } = this.#settings;
    const { kid, privateKey } = keys.signingKey();
    const iat = this.#nowSeconds();
    const expiresIn = this.#lifeSeconds(iat, sessionExpiresAt);
    const claims: AccessTokenClaims = {
      iss: issuer,
      aud: audience,
      sub: userId,
      client_id: clientId,
      sid: sessionId,
      jti: randomUUID(),
      iat,
      exp: iat + expiresIn,
      roles,
    };
    const options = { algorithm: 'ES256', header: { alg: 'ES256', typ: 'at+jwt', kid } } satisfies jwt.SignOptions;
    return { accessToken: jwt.sign(claims, privateKey, options), expiresIn };
  }

  /**
   * Whether the session still stands is not checked here, and neither is the account.
   *
   * @throws UnauthenticatedError `TOKEN_INVALID`, or `TOKEN_EXPIRED` for a token that was good once
   * @throws UnavailableError `DATABASE_UNAVAILABLE` when its key is not known here and cannot be looked up
   */
  async verify(token: string): Promise<AccessTokenClaims> {
    const claims = this.#remembered(token) ?? (await this.#checked(token));
    if (claims === null || claims.iat > this.#nowSeconds() + CLOCK_SKEW_SECONDS)
      throw new UnauthenticatedError('TOKEN_INVALID');
    if (this.#endOf(claims) <= this.#nowSeconds() - CLOCK_SKEW_SECONDS)
      throw new UnauthenticatedError('TOKEN_EXPIRED', { subject: { userId: claims.sub } });
    return claims;
  }

  /** Only while its key is still in force: a key that was taken away takes its tokens along. */
  #remembered(token: string): AccessTokenClaims | null {
    const verified = this.#verified.get(token);
    if (verified === undefined) return null;
    return this.#settings.keys.knownKey(verified.kid) === verified.key ? verified.claims : null;
  }

  async #checked(token: string): Promise<AccessTokenClaims | null> {
    const parts = decodeJws(token);
    if (parts === null) return null;
    const key = await this.#settings.keys.findKey(parts.kid);
    if (key === null || !this.#isGenuine(token, key)) return null;
    const claims = readClaims(parts.payload);
    if (claims !== null) this.#verified.set(token, { claims, key, kid: parts.kid });
    return claims;
  }

  /** The expiry is not checked here: that is done on every use. */
  #isGenuine(token: string, key: KeyObject): boolean {
    const { issuer, audience } = this.#settings;
    try {
      jwt.verify(token, key, {
        algorithms: ['ES256'],
        issuer,
        audience,
        ignoreExpiration: true,
        clockTimestamp: this.#nowSeconds(),
        clockTolerance: CLOCK_SKEW_SECONDS,
      });
      return true;
    } catch {
      // Whatever it stumbles over, the token is not one of ours.
      return false;
    }
  }

  /** At least a second: a token that is born dead would be no answer. */
  #lifeSeconds(iat: number, sessionExpiresAt: Date | undefined): number {
    const ttl = Math.floor(this.#settings.ttlMs / 1_000);
    return sessionExpiresAt === undefined
      ? ttl
      : Math.max(1, Math.min(ttl, Math.floor(sessionExpiresAt.getTime() / 1_000) - iat));
  }

  /** A token from before the setting was shortened lives no longer than one of now: revocations are kept no longer either. */
  #endOf({ iat, exp }: AccessTokenClaims): number {
    return Math.min(exp, iat + Math.floor(this.#settings.ttlMs / 1_000));
  }

  #nowSeconds(): number {
    return Math.floor(this.#settings.clock.now().getTime() / 1_000);
  }
}
