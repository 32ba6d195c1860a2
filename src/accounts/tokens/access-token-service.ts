import { randomUUID, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { UnauthenticatedError } from '../../errors/index.js';
import type { AccountRole } from '../identity/account.entity.js';
import type { Clock } from '../ports/clock.js';
import type { IssuerCheck } from './accepted-issuers.js';
import { readClaims, type AccessTokenClaims } from './access-token-claims.js';
import { decodeJws } from './decode-jws.js';
import type { KeyStore } from './key-store.js';

/** Maximum difference between the clocks of two nodes. */
export const CLOCK_SKEW_SECONDS = 30;

/** Memory of the cache of verified tokens: about 30,000 tokens, so that active users do not evict each other. */
const MAX_CACHED_BYTES = 32 * 1_024 * 1_024;
/** Memory of the claims of a token and of its entry. The token itself takes one byte per character. */
const BYTES_PER_CLAIMS = 600;
/** The end of a token, which is the end of its signature, is its key in the cache: shorter to hash than the token. */
const KEY_CHARACTERS = 32;

export interface AccessTokenOptions {
  readonly keys: Pick<KeyStore, 'signingKey' | 'findKey' | 'isInForce'>;
  readonly clock: Clock;
  /** The issuer of signed tokens. */
  readonly issuer: string;
  /** The issuers of tokens that are verified. */
  readonly acceptsIssuer: IssuerCheck;
  readonly audience: string;
  /** `client_id` of tokens that are issued for a username and password. */
  readonly clientId: string;
  readonly ttlMs: number;
}

export interface TokenSubject {
  readonly userId: string;
  readonly sessionId: string;
  /** No token outlives its session; absent when the expiry is not known. */
  readonly sessionExpiresAt?: Date;
  readonly roles: readonly AccountRole[];
}

export interface SignedAccessToken {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}

interface VerifiedToken {
  readonly token: string;
  readonly claims: AccessTokenClaims;
  readonly key: KeyObject;
}

/**
 * Signs and verifies access tokens (RFC 9068): JWTs with ES256.
 *
 * `jsonwebtoken` is used only here, because by itself it accepts unknown critical headers, any `typ`, tokens without
 * expiry and repeated members.
 */
export class AccessTokenService {
  readonly #options: AccessTokenOptions;
  /** Caches verified signatures, because verification is the most expensive part of a small request. */
  readonly #verified = new LRUCache<string, VerifiedToken>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ token }) => token.length + BYTES_PER_CLAIMS,
  });

  constructor(options: AccessTokenOptions) {
    this.#options = options;
  }

  sign({ userId, sessionId, sessionExpiresAt, roles }: TokenSubject): SignedAccessToken {
    const { keys, issuer, audience, clientId } = this.#options;
    const { kid, privateKey } = keys.signingKey();
    const iat = this.#nowSeconds();
    const expiresIn = this.#lifetimeSeconds(iat, sessionExpiresAt);
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
   * Verifies a token, but neither its session nor its account.
   *
   * @throws UnauthenticatedError `TOKEN_INVALID`, or `TOKEN_EXPIRED` for a genuine token
   * @throws UnavailableError `DATABASE_UNAVAILABLE` when its key is not loaded and cannot be read
   */
  async verify(token: string): Promise<AccessTokenClaims> {
    const claims = this.#cached(token) ?? (await this.#parseAndVerify(token));
    const now = this.#nowSeconds();
    if (claims === null || isFromFuture(claims, now)) throw new UnauthenticatedError('TOKEN_INVALID');
    if (this.#isExpired(claims, now))
      throw new UnauthenticatedError('TOKEN_EXPIRED', { subject: { userId: claims.sub } });
    return claims;
  }

  /**
   * Returns the claims of a token that is in force and whose signature was verified before; null for any other token.
   */
  findInForce(token: string): AccessTokenClaims | null {
    const claims = this.#cached(token);
    const now = this.#nowSeconds();
    return claims === null || isFromFuture(claims, now) || this.#isExpired(claims, now) ? null : claims;
  }

  #isExpired(claims: AccessTokenClaims, nowSeconds: number): boolean {
    return this.#effectiveExpiry(claims) <= nowSeconds - CLOCK_SKEW_SECONDS;
  }

  /** Requires that the key is still in force, because removing a key invalidates its tokens. */
  #cached(token: string): AccessTokenClaims | null {
    const verified = this.#verified.get(token.slice(-KEY_CHARACTERS));
    if (verified?.token !== token) return null;
    return this.#options.keys.isInForce(verified.key) ? verified.claims : null;
  }

  async #parseAndVerify(token: string): Promise<AccessTokenClaims | null> {
    const parts = decodeJws(token);
    if (parts === null) return null;
    const key = await this.#options.keys.findKey(parts.kid);
    /** Ignores the expiry, which every use checks. */
    if (key === null || !this.#isGenuine(token, key)) return null;
    const claims = readClaims(parts.payload);
    if (claims === null || !this.#options.acceptsIssuer(claims.iss)) return null;
    this.#verified.set(token.slice(-KEY_CHARACTERS), { token, claims, key });
    return claims;
  }

  /** Does not check the issuer, and the expiry, which is checked on every use. */
  #isGenuine(token: string, key: KeyObject): boolean {
    const { audience } = this.#options;
    try {
      jwt.verify(token, key, {
        algorithms: ['ES256'],
        audience,
        ignoreExpiration: true,
        clockTimestamp: this.#nowSeconds(),
        clockTolerance: CLOCK_SKEW_SECONDS,
      });
      return true;
    } catch {
      // Any error means that this service did not sign the token.
      return false;
    }
  }

  /** At least 1 s, because an expired token would be useless. */
  #lifetimeSeconds(iat: number, sessionExpiresAt: Date | undefined): number {
    const ttl = Math.floor(this.#options.ttlMs / 1_000);
    return sessionExpiresAt === undefined
      ? ttl
      : Math.max(1, Math.min(ttl, Math.floor(sessionExpiresAt.getTime() / 1_000) - iat));
  }

  /**
   * Limits the lifetime of tokens that were issued before the setting was shortened, because revocations are retained
   * for the present lifetime only.
   */
  #effectiveExpiry({ iat, exp }: AccessTokenClaims): number {
    return Math.min(exp, iat + Math.floor(this.#options.ttlMs / 1_000));
  }

  #nowSeconds(): number {
    return Math.floor(this.#options.clock.now().getTime() / 1_000);
  }
}

function isFromFuture({ iat }: AccessTokenClaims, nowSeconds: number): boolean {
  return iat > nowSeconds + CLOCK_SKEW_SECONDS;
}
