import { createHash } from 'node:crypto';
import { UnauthenticatedError, type DomainError } from '../errors/index.js';
import type { ApiKeyUsageRecorder } from './api-keys/api-key-usage-recorder.js';
import { API_KEY_PREFIX } from './api-keys/create-api-key.js';
import type { AccountLoaders } from './identity/account-loaders.js';
import type { Actor, AnonymousActor } from './identity/actor.js';
import type { Clock } from './ports/clock.js';
import type { RevocationRegistry } from './revocation/revocation-registry.js';
import type { AccessTokenClaims } from './tokens/access-token-claims.js';
import type { AccessTokenService } from './tokens/access-token-service.js';

interface AuthenticateUserDeps {
  readonly accessTokens: AccessTokenService;
  readonly revocations: RevocationRegistry;
}

interface AuthenticateServiceDeps {
  readonly loaders: AccountLoaders;
  readonly clock: Clock;
  readonly apiKeyUsage: ApiKeyUsageRecorder;
}

export interface AuthenticateDeps extends AuthenticateUserDeps, AuthenticateServiceDeps {}

/**
 * RFC 6750, section 2.1, with RFC 9110, section 11.4: case-insensitive scheme, one or more spaces, one token, trailing
 * spaces ignored.
 */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** As nearly all clients write it. */
const USUAL_SCHEME = 'Bearer ';

const ANONYMOUS: AnonymousActor = { kind: 'anonymous', authenticationError: new UnauthenticatedError('TOKEN_MISSING') };

/**
 * Determines the caller of a request from its Authorization header.
 *
 * A rejected token gives an anonymous actor with the reason instead of an error: registration and login work with an
 * expired token, and operations that need a caller throw the reason.
 *
 * @param authorization all Authorization headers of the request
 * @throws UnavailableError `DATABASE_UNAVAILABLE` when an API key cannot be looked up, or a needed check of a
 *   revocation fails
 */
export async function authenticate(deps: AuthenticateDeps, authorization: readonly string[]): Promise<Actor> {
  const [header, ...more] = authorization;
  if (header === undefined) return ANONYMOUS;
  if (more.length > 0) return anonymous(new UnauthenticatedError('TOKEN_INVALID'));
  try {
    const known = findVerifiedClaims(deps, header);
    if (known !== null) return await toUserActor(deps, known);
    const token = BEARER.exec(header)?.[1];
    if (token === undefined) throw new UnauthenticatedError('TOKEN_INVALID');
    return token.startsWith(API_KEY_PREFIX)
      ? await authenticateService(deps, token)
      : await authenticateUser(deps, token);
  } catch (error) {
    if (error instanceof UnauthenticatedError) return anonymous(error);
    throw error;
  }
}

function anonymous(authenticationError: DomainError & UnauthenticatedError): AnonymousActor {
  return { kind: 'anonymous', authenticationError };
}

/** Finds the claims of a token that was verified before. Such a token has the form that is checked otherwise. */
function findVerifiedClaims({ accessTokens }: AuthenticateUserDeps, header: string): AccessTokenClaims | null {
  return header.startsWith(USUAL_SCHEME) ? accessTokens.verifyKnown(header.slice(USUAL_SCHEME.length)) : null;
}

async function authenticateUser(deps: AuthenticateUserDeps, token: string): Promise<Actor> {
  return toUserActor(deps, await deps.accessTokens.verify(token));
}

async function toUserActor(deps: AuthenticateUserDeps, claims: AccessTokenClaims): Promise<Actor> {
  if (await deps.revocations.isRevoked(claims.sid))
    throw new UnauthenticatedError('TOKEN_REVOKED', { subject: { userId: claims.sub } });
  return { kind: 'user', userId: claims.sub, sessionId: claims.sid, expiresAt: new Date(claims.exp * 1_000) };
}

async function authenticateService(deps: AuthenticateServiceDeps, token: string): Promise<Actor> {
  const key = await deps.loaders.apiKey(createHash('sha256').update(token).digest());
  if (key === null) throw new UnauthenticatedError('TOKEN_INVALID');
  if (key.expiresAt !== null && key.expiresAt <= deps.clock.now())
    throw new UnauthenticatedError('TOKEN_EXPIRED', { subject: { apiKeyId: key.id } });
  deps.apiKeyUsage.record(key.id, deps.clock.now());
  return {
    kind: 'service',
    apiKeyId: key.id,
    name: key.name,
    scopes: key.scopes,
    groupIds: key.groupIds,
    expiresAt: key.expiresAt,
  };
}
