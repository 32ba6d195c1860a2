import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction, type Database } from '../../database/index.js';
import { UnauthenticatedError } from '../../errors/index.js';
import { recordSessionsRevoked } from '../audit/record-audit-event.js';
import { requireUser, type Actor } from '../identity/actor.js';
import { lockAccount } from '../identity/locked-account.js';
import type { Clock } from '../ports/clock.js';
import type { RevocationRegistry } from '../revocation/revocation-registry.js';
import { revokeSessionById, revokeSessions } from '../revocation/revoke-sessions.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import type { AccessTokenService } from '../tokens/access-token-service.js';
import { verifyRefreshToken } from './refresh-token.js';
import { Session } from './session.entity.js';

interface TokenSessionDeps {
  readonly serverSecret: ServerSecret;
  readonly accessTokens: AccessTokenService;
}

export interface RevokeTokenDeps extends TokenSessionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly revocations: RevocationRegistry;
}

export interface RevokeTokenParams {
  /** Any token of the session; null for the caller's current session. */
  readonly token: string | null;
  /** Revokes every session of the same user. */
  readonly everywhere: boolean;
}

export interface RevokeTokenResult {
  readonly revokedSessions: number;
  readonly userId: string | null;
}

/**
 * Logs out: revokes the session that a token belongs to (RFC 7009), or the caller's current one, with all its tokens.
 *
 * Accepts an access token and a refresh token of any generation. A foreign token, or one of a revoked session, revokes
 * nothing and is no error.
 *
 * @returns the number of revoked sessions, and their user; null when none was revoked
 * @throws UnauthenticatedError without a token from a caller who is not signed in
 */
export async function revokeToken(
  deps: RevokeTokenDeps,
  actor: Actor,
  { token, everywhere }: RevokeTokenParams,
): Promise<RevokeTokenResult> {
  const sessionId = token === null ? requireUser(actor).sessionId : await sessionOf(deps, token);
  if (sessionId === null) return { revokedSessions: 0, userId: null };
  const now = deps.clock.now();
  const { revoked, userId } = await inTransaction(deps.database, (em) =>
    revokeInTransaction(em, { sessionId, everywhere }, now),
  );
  deps.revocations.publish(revoked);
  return { revokedSessions: revoked.length, userId };
}

async function sessionOf({ serverSecret, accessTokens }: TokenSessionDeps, token: string): Promise<string | null> {
  return verifyRefreshToken(serverSecret, token)?.sessionId ?? (await sessionOfAccessToken(accessTokens, token));
}

async function sessionOfAccessToken(accessTokens: AccessTokenService, token: string): Promise<string | null> {
  try {
    return (await accessTokens.verify(token)).sid;
  } catch (error) {
    if (error instanceof UnauthenticatedError) return null;
    throw error;
  }
}

interface RevokedSessions {
  readonly revoked: readonly string[];
  readonly userId: string | null;
}

/** Revokes nothing for a session that was revoked before: its row, which named the user, is gone. */
async function revokeInTransaction(
  em: EntityManager,
  { sessionId, everywhere }: { readonly sessionId: string; readonly everywhere: boolean },
  now: Date,
): Promise<RevokedSessions> {
  const session = await em.findOne(Session, sessionId);
  if (session === null) return { revoked: [], userId: null };
  const { userId } = session;
  const revoked = everywhere ? await revokeEverySession(em, userId, now) : await revokeSessionById(em, sessionId, now);
  return { revoked: recordSessionsRevoked(em, userId, revoked, now), userId };
}

async function revokeEverySession(em: EntityManager, userId: string, now: Date): Promise<string[]> {
  const account = await lockAccount(em, userId);
  return account === null ? [] : revokeSessions(em, { account }, now);
}
