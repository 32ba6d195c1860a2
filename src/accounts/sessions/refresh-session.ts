import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction, type Database } from '../../database/index.js';
import { UnauthenticatedError } from '../../errors/index.js';
import { recordAuditEvent } from '../audit/record-audit-event.js';
import { lockAccount } from '../identity/locked-account.js';
import type { ClientInfo } from '../ports/client-info.js';
import type { Clock } from '../ports/clock.js';
import type { DispatchTasks } from '../ports/dispatch-tasks.js';
import type { RevocationRegistry } from '../revocation/revocation-registry.js';
import { revokeSessionById } from '../revocation/revoke-sessions.js';
import { enqueueSecurityNotice } from '../security-notices/enqueue-security-notice.js';
import { verifyRefreshToken, type RefreshTokenClaims } from './refresh-token.js';
import { readSession, rotateSession, type SessionWithUser } from './rotate-session.js';
import { decideRefresh } from './session-lifetime.js';
import { createTokenPair, type CreateTokenPairDeps, type TokenPair } from './token-pair.js';

export interface RefreshSessionDeps extends CreateTokenPairDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly revocations: RevocationRegistry;
  readonly refreshTokenTtlMs: number;
  readonly dispatchTasks: DispatchTasks;
}

/**
 * Exchanges a refresh token for an access token and the next refresh token (RFC 6749, section 6; rotation as in RFC
 * 9700, section 4.14.2).
 *
 * The successor of a token is deterministic. For 10 s the immediate predecessor of the current token returns the
 * current one again, so that two browser tabs or a lost response do not end the session. Any other reuse indicates a
 * copied token and revokes the session with its access tokens.
 *
 * The current token takes one statement. Concurrent uses of it wait for each other's update of the session: one rotates
 * it, and the others then read that it is the predecessor.
 *
 * @throws UnauthenticatedError `REFRESH_INVALID` when the token is forged or has expired, or its session was revoked
 * @throws UnauthenticatedError `REFRESH_REUSED` when the token was reused; the session is revoked then
 */
export async function refreshSession(
  deps: RefreshSessionDeps,
  refreshToken: string,
  client: ClientInfo,
): Promise<TokenPair> {
  const claims = verifyRefreshToken(deps.serverSecret, refreshToken);
  if (claims === null) throw new UnauthenticatedError('REFRESH_INVALID');
  const rotation = { client, now: deps.clock.now(), refreshTokenTtlMs: deps.refreshTokenTtlMs };
  const session = (await rotateSession(deps.database, claims, rotation)) ?? (await repeatRefresh(deps, claims));
  return createTokenPair(deps, session, session.user);
}

/**
 * Answers a refresh by another token than the current one.
 *
 * @returns the session, whose current token is the successor
 * @throws UnauthenticatedError as `refreshSession`
 */
async function repeatRefresh(deps: RefreshSessionDeps, claims: RefreshTokenClaims): Promise<SessionWithUser> {
  const read = await readSession(deps.database, claims.sessionId);
  const decision = read === null ? 'INVALID' : decideRefresh(read, claims.generation, deps.clock.now());
  if (read === null || decision === 'INVALID') throw new UnauthenticatedError('REFRESH_INVALID');
  if (decision === 'STOLEN') throw await revokeStolenSession(deps, read);
  // The current token rotates every session whose account is enabled.
  if (decision === 'ROTATE' || read.isDisabled) throw new UnauthenticatedError('REFRESH_INVALID');
  return read;
}

/**
 * Revokes a session whose token was copied, in a separate transaction that locks the account before the session, as all
 * transactions that lock both. The decision stays valid: a generation never decreases.
 *
 * @returns the error to throw: `REFRESH_INVALID` when the session was revoked concurrently
 */
async function revokeStolenSession(
  deps: RefreshSessionDeps,
  { id: sessionId, user: { id: userId } }: SessionWithUser,
): Promise<UnauthenticatedError> {
  const now = deps.clock.now();
  const session = { sessionId, userId };
  const { revoked, enqueuedTaskIds } = await inTransaction(deps.database, (em) =>
    revokeStolenInTransaction(em, session, now),
  );
  if (revoked.length === 0) return new UnauthenticatedError('REFRESH_INVALID');
  deps.revocations.publish(revoked);
  deps.dispatchTasks(enqueuedTaskIds);
  return new UnauthenticatedError('REFRESH_REUSED', { subject: { userId } });
}

interface RevokedSession {
  readonly revoked: readonly string[];
  readonly enqueuedTaskIds: readonly string[];
}

/** Enqueues a notice, at most once per session, because the session is revoked. */
async function revokeStolenInTransaction(
  em: EntityManager,
  { sessionId, userId }: { readonly sessionId: string; readonly userId: string },
  now: Date,
): Promise<RevokedSession> {
  const account = await lockAccount(em, userId);
  const revoked = account === null ? [] : await revokeSessionById(em, sessionId, now);
  if (account === null || revoked.length === 0) return { revoked: [], enqueuedTaskIds: [] };
  recordAuditEvent(em, { action: 'session.stolen', actorId: null, subjectId: userId, detail: { sessionId } }, now);
  return { revoked, enqueuedTaskIds: await enqueueSecurityNotice(em, account, 'notify_session_stolen', now) };
}
