import { createHash } from 'node:crypto';
import { UnauthenticatedError, type DomainError } from '../errors/index.js';
import type { ApiKeyUsageRecorder } from './api-keys/api-key-usage-recorder.js';
import { API_KEY_PREFIX } from './api-keys/create-api-key.js';
import type { AccountLoaders } from './identity/account-loaders.js';
import type { Actor, AnonymousActor, UserActor } from './identity/actor.js';
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
 * Determines the caller of a request from its Authorization header. Without a promise for a token that was verified
 * before, as nearly all are.
 *
 * A rejected token gives an anonymous actor with the reason instead of an error: registration and login work with an
 * expired token, and operations that need a caller throw the reason.
 *
 * @param authorization all Authorization headers of the request
 * @throws UnavailableError `DATABASE_UNAVAILABLE` when an API key cannot be looked up, or a needed check of a
 *   revocation fails
 */
export function authenticate(deps: AuthenticateDeps, authorization: readonly string[]): Actor | Promise<Actor> {
  const [header] = authorization;
  if (header === undefined) return ANONYMOUS;
  if (authorization.length > 1) return anonymous(new UnauthenticatedError('TOKEN_INVALID'));
  return findKnownCaller(deps, header) ?? authenticateHeader(deps, header);
}

/** Returns the caller of a token that was verified before; null for any other, and for one that may be rejected. */
function findKnownCaller({ accessTokens, revocations }: AuthenticateUserDeps, header: string): UserActor | null {
  // Such a token has the form that is checked otherwise.
  const claims = header.startsWith(USUAL_SCHEME) ? accessTokens.findInForce(header.slice(USUAL_SCHEME.length)) : null;
  return claims !== null && revocations.isKnownToBeInForce(claims.sid) ? toUserActor(claims) : null;
}

async function authenticateHeader(deps: AuthenticateDeps, header: string): Promise<Actor> {
  try {
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

async function authenticateUser({ accessTokens, revocations }: AuthenticateUserDeps, token: string): Promise<Actor> {
  const claims = await accessTokens.verify(token);
  if (await revocations.isRevoked(claims.sid))
    throw new UnauthenticatedError('TOKEN_REVOKED', { subject: { userId: claims.sub } });
  return toUserActor(claims);
}

function toUserActor({ sub, sid, exp }: AccessTokenClaims): UserActor {
  return { kind: 'user', userId: sub, sessionId: sid, expiresAt: new Date(exp * 1_000) };
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
