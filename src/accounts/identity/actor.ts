import { ForbiddenError, type UnauthenticatedError } from '../../errors/index.js';
import type { ApiKeyScope } from './api-key-scope.js';

/** A person, signed in. What they may do is read from their account, never from the token. */
export interface UserActor {
  readonly kind: 'user';
  readonly userId: string;
  readonly sessionId: string;
  /** When the token ends; absent where none was presented. */
  readonly expiresAt?: Date;
}

/** A program with an API key. */
export interface ServiceActor {
  readonly kind: 'service';
  readonly apiKeyId: string;
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  /** Null for every group. */
  readonly groupIds: readonly string[] | null;
  /** When the key ends; null for one that does not. */
  readonly expiresAt?: Date | null;
}

/** Nobody known; `problem` is what to say where somebody is needed: no token came, or why the one that came was refused. */
export interface AnonymousActor {
  readonly kind: 'anonymous';
  readonly authenticationError: UnauthenticatedError;
}

export type AuthenticatedActor = UserActor | ServiceActor;
export type Actor = AuthenticatedActor | AnonymousActor;

/** @throws UnauthenticatedError with the reason of the token's refusal. */
export function requireAuthenticated(actor: Actor): AuthenticatedActor {
  if (actor.kind === 'anonymous') throw actor.authenticationError;
  return actor;
}

/**
 * @throws UnauthenticatedError with the reason of the token's refusal.
 * @throws ForbiddenError `SCOPE_REQUIRED` for a program: no scope stands for a person.
 */
export function requireUser(actor: Actor): UserActor {
  const known = requireAuthenticated(actor);
  if (known.kind === 'service') {
    throw new ForbiddenError('SCOPE_REQUIRED', { message: 'This takes a person: an API key cannot do it.' });
  }
  return known;
}
