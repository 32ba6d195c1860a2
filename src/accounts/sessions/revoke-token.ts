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
  /** Any token of the session; null for the caller's own session. */
  readonly token: string | null;
  /** Every session of the same person. */
  readonly everywhere: boolean;
}

export interface RevokeTokenResult {
  readonly revokedSessions: number;
  readonly userId: string | null;
}

/**
 * Logs out: ends the session that a token belongs to (RFC 7009), or the caller's own, with all of its tokens.
 *
 * Any generation of a refresh token will do, and so will the access token. A token that is not ours, or whose session has
 * ended, ends nothing and is no error.
 *
 * @returns how many sessions ended, and whose; null when none did
 * @throws UnauthenticatedError when neither a token nor a signed-in person says which session is meant
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
    revokeWith(em, { sessionId, everywhere }, now),
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

interface Revoked {
  readonly revoked: readonly string[];
  readonly userId: string | null;
}

/** The session, or every one of whoever it belongs to; none when it has ended, since nothing says then whose it was. */
async function revokeWith(
  em: EntityManager,
  { sessionId, everywhere }: { readonly sessionId: string; readonly everywhere: boolean },
  now: Date,
): Promise<Revoked> {
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
