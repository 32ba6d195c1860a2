import { createHash } from 'node:crypto';
import { UnauthenticatedError, type DomainError } from '../errors/index.js';
import type { ApiKeyUsageRecorder } from './api-keys/api-key-usage-recorder.js';
import { API_KEY_PREFIX } from './api-keys/create-api-key.js';
import type { AccountLoaders } from './identity/account-loaders.js';
import type { Actor, AnonymousActor } from './identity/actor.js';
import type { Clock } from './ports/clock.js';
import type { RevocationRegistry } from './revocation/revocation-registry.js';
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

/** RFC 6750 section 2.1 with RFC 9110 section 11.4: any case, one or more spaces, one token, spaces at the end ignored. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

const ANONYMOUS: AnonymousActor = { kind: 'anonymous', authenticationError: new UnauthenticatedError('TOKEN_MISSING') };

/**
 * Who sends a request, from its Authorization header.
 *
 * A token that is refused makes an anonymous caller with a problem, not an error: registering or logging in
 * works with a stale token, and whatever needs a caller says what was wrong with it.
 *
 * @param authorization every Authorization header of the request
 * @throws UnavailableError `DATABASE_UNAVAILABLE` when an API key cannot be looked up, or a session's revocation when that is needed
 */
export async function authenticate(deps: AuthenticateDeps, authorization: readonly string[]): Promise<Actor> {
  const [header, ...more] = authorization;
  if (header === undefined) return ANONYMOUS;
  const token = BEARER.exec(header)?.[1];
  if (token === undefined || more.length > 0) return refused(new UnauthenticatedError('TOKEN_INVALID'));
  try {
    return token.startsWith(API_KEY_PREFIX) ? await serviceOf(deps, token) : await userOf(deps, token);
  } catch (error) {
    if (error instanceof UnauthenticatedError) return refused(error);
    throw error;
  }
}

function refused(authenticationError: DomainError & UnauthenticatedError): AnonymousActor {
  return { kind: 'anonymous', authenticationError };
}

async function userOf(deps: AuthenticateUserDeps, token: string): Promise<Actor> {
  const claims = await deps.accessTokens.verify(token);
  if (await deps.revocations.isRevoked(claims.sid))
    throw new UnauthenticatedError('TOKEN_REVOKED', { subject: { userId: claims.sub } });
  return { kind: 'user', userId: claims.sub, sessionId: claims.sid, expiresAt: new Date(claims.exp * 1_000) };
}

async function serviceOf(deps: AuthenticateServiceDeps, token: string): Promise<Actor> {
  const key = await deps.loaders.apiKey(createHash('sha256').update(token).digest());
  if (key === null) throw new UnauthenticatedError('TOKEN_INVALID');
  if (key.expiresAt !== null && key.expiresAt <= deps.clock.now())
    throw new UnauthenticatedError('TOKEN_EXPIRED', { subject: { apiKeyId: key.id } });
  deps.apiKeyUsage.note(key.id, deps.clock.now());
  return {
    kind: 'service',
    apiKeyId: key.id,
    name: key.name,
    scopes: key.scopes,
    groupIds: key.groupIds,
    expiresAt: key.expiresAt,
  };
}
