import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction, type Database } from '../../database/index.js';
import { UnauthenticatedError } from '../../errors/index.js';
import { recordAuditEvent } from '../audit/record-audit-event.js';
import type { ViewerView } from '../identity/account-loaders.js';
import { Account } from '../identity/account.entity.js';
import { lockAccount } from '../identity/locked-account.js';
import { toViewerView } from '../identity/view-mappers.js';
import type { ClientInfo } from '../ports/client-info.js';
import type { Clock } from '../ports/clock.js';
import type { DispatchTasks } from '../ports/dispatch-tasks.js';
import type { RevocationRegistry } from '../revocation/revocation-registry.js';
import { revokeSessionById } from '../revocation/revoke-sessions.js';
import { enqueueSecurityNotice } from '../security-notices/enqueue-security-notice.js';
import { verifyRefreshToken, type RefreshTokenClaims } from './refresh-token.js';
import { sessionClient } from './session-client.js';
import { decideRefresh, sessionExpiry } from './session-lifetime.js';
import { Session } from './session.entity.js';
import { createTokenPair, type CreateTokenPairDeps, type TokenPair } from './token-pair.js';

export interface RefreshSessionDeps extends CreateTokenPairDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly revocations: RevocationRegistry;
  readonly refreshTokenTtlMs: number;
  readonly dispatchTasks: DispatchTasks;
}

/** Outcome of a refresh, decided under the lock of the session. */
type RefreshOutcome =
  | { readonly kind: 'continue'; readonly session: Session; readonly user: ViewerView }
  | { readonly kind: 'stolen'; readonly session: Session }
  | { readonly kind: 'invalid' };

/**
 * Exchanges a refresh token for an access token and the next refresh token (RFC 6749, section 6; rotation as in RFC
 * 9700, section 4.14.2).
 *
 * The successor of a token is deterministic. For 10 s the immediate predecessor of the current token returns the
 * current one again, so that two browser tabs or a lost response do not end the session. Any other reuse indicates a
 * copied token and revokes the session with its access tokens.
 *
 * Concurrent uses are serialized by the row lock of the session.
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
  const outcome = await inTransaction(deps.database, (em) => useRefreshToken(em, deps, claims, client));
  switch (outcome.kind) {
    case 'continue':
      return createTokenPair(deps, outcome.session, outcome.user);
    case 'invalid':
      throw new UnauthenticatedError('REFRESH_INVALID');
    case 'stolen':
      throw await revokeStolenSession(deps, outcome.session);
  }
}

async function useRefreshToken(
  em: EntityManager,
  deps: RefreshSessionDeps,
  claims: RefreshTokenClaims,
  client: ClientInfo,
): Promise<RefreshOutcome> {
  const session = await em.findOne(Session, claims.sessionId, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const now = deps.clock.now();
  const decision = session === null ? 'INVALID' : decideRefresh(session, claims.generation, now);
  if (session === null || decision === 'INVALID') return { kind: 'invalid' };
  if (decision === 'STOLEN') return { kind: 'stolen', session };
  // Needs no lock: disabling or deleting the account revokes its sessions, and so waits for the lock of this one.
  const account = await em.findOne(Account, session.userId);
  if (account === null || account.disabledAt !== null) return { kind: 'invalid' };
  if (decision === 'ROTATE') rotate(session, now, deps.refreshTokenTtlMs, client);
  return { kind: 'continue', session, user: toViewerView(account) };
}

/**
 * Revokes a session whose token was copied, in a separate transaction that locks the account before the session, as all
 * transactions that lock both. The decision stays valid in between.
 *
 * @returns the error to throw: `REFRESH_INVALID` when the session was revoked concurrently
 */
async function revokeStolenSession(deps: RefreshSessionDeps, { id, userId }: Session): Promise<UnauthenticatedError> {
  const now = deps.clock.now();
  const session = { sessionId: id, userId };
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

function rotate(session: Session, now: Date, refreshTokenTtlMs: number, client: ClientInfo): void {
  const expiresAt = sessionExpiry(session.createdAt, now, refreshTokenTtlMs);
  Object.assign(session, {
    generation: session.generation + 1,
    rotatedAt: now,
    expiresAt,
    ...sessionClient(client),
  } satisfies Partial<Session>);
}
