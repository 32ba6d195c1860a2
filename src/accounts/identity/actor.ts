import { ForbiddenError, type UnauthenticatedError } from '../../errors/index.js';
import type { ApiKeyScope } from './api-key-scope.js';

/** A signed-in user. Rights are read from the account, never from the token. */
export interface UserActor {
  readonly kind: 'user';
  readonly userId: string;
  readonly sessionId: string;
  /** When the token expires; absent when no token was presented. */
  readonly expiresAt?: Date;
}

/** An API client with an API key. */
export interface ServiceActor {
  readonly kind: 'service';
  readonly apiKeyId: string;
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  /** Null for every group. */
  readonly groupIds: readonly string[] | null;
  /** When the key expires; null for a key that does not. */
  readonly expiresAt?: Date | null;
}

/** An unauthenticated caller. */
export interface AnonymousActor {
  readonly kind: 'anonymous';
  /** Thrown where authentication is required: no token was sent, or the reason why it was rejected. */
  readonly authenticationError: UnauthenticatedError;
}

export type AuthenticatedActor = UserActor | ServiceActor;
export type Actor = AuthenticatedActor | AnonymousActor;

/**
 * Requires an authenticated caller.
 *
 * @throws UnauthenticatedError with the reason why the token was rejected
 */
export function requireAuthenticated(actor: Actor): AuthenticatedActor {
  if (actor.kind === 'anonymous') throw actor.authenticationError;
  return actor;
}

/**
 * Requires a signed-in user.
 *
 * @throws UnauthenticatedError with the reason why the token was rejected
 * @throws ForbiddenError `SCOPE_REQUIRED` for an API client: no scope grants the rights of a user
 */
export function requireUser(actor: Actor): UserActor {
  const authenticated = requireAuthenticated(actor);
  if (authenticated.kind === 'service') {
    throw new ForbiddenError('SCOPE_REQUIRED', { message: 'This takes a person: an API key cannot do it.' });
  }
  return authenticated;
}
