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

/** What becomes of the session: it goes on, has to end, or does not take the token. */
type Use =
  | { readonly kind: 'goes-on'; readonly session: Session; readonly user: ViewerView }
  | { readonly kind: 'stolen'; readonly session: Session }
  | { readonly kind: 'invalid' };

/**
 * Exchanges a refresh token for an access token and the token's successor (RFC 6749, section 6; rotation as RFC 9700,
 * section 4.14.2 has it).
 *
 * The successor of a token is always the same. The immediate predecessor of the current token gives out the current one
 * again for 10 seconds, so that two tabs or a lost answer end nobody's session; any older use of a token means that it
 * was copied, and ends the session with its access tokens. Parallel uses are judged one after another, under the lock of
 * the session's row.
 *
 * @throws UnauthenticatedError `REFRESH_INVALID` when it was made up, has expired, or its session has ended
 * @throws UnauthenticatedError `REFRESH_REUSED` when it was used before; the session has ended now
 */
export async function refreshSession(
  deps: RefreshSessionDeps,
  refreshToken: string,
  client: ClientInfo,
): Promise<TokenPair> {
  const named = verifyRefreshToken(deps.serverSecret, refreshToken);
  if (named === null) throw new UnauthenticatedError('REFRESH_INVALID');
  const use = await inTransaction(deps.database, (em) => useToken(em, deps, named, client));
  switch (use.kind) {
    case 'goes-on':
      return createTokenPair(deps, use.session, use.user);
    case 'invalid':
      throw new UnauthenticatedError('REFRESH_INVALID');
    case 'stolen':
      throw await endStolen(deps, use.session);
  }
}

async function useToken(
  em: EntityManager,
  deps: RefreshSessionDeps,
  named: RefreshTokenClaims,
  client: ClientInfo,
): Promise<Use> {
  const session = await em.findOne(Session, named.sessionId, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const now = deps.clock.now();
  const verdict = session === null ? 'INVALID' : decideRefresh(session, named.generation, now);
  if (session === null || verdict === 'INVALID') return { kind: 'invalid' };
  if (verdict === 'STOLEN') return { kind: 'stolen', session };
  // Not locked: whoever disables or deletes the account ends its sessions, and so waits for this one's row.
  const account = await em.findOne(Account, session.userId);
  if (account === null || account.disabledAt !== null) return { kind: 'invalid' };
  if (verdict === 'ROTATE') rotate(session, now, deps.refreshTokenTtlMs, client);
  return { kind: 'goes-on', session, user: toViewerView(account) };
}

/**
 * Ends a session whose token was copied, in a transaction of its own, which locks the account before the session, as all
 * that lock both. A token that was judged stolen stays so.
 *
 * @returns what the caller is told: `REFRESH_INVALID` when the session ended meanwhile
 */
async function endStolen(deps: RefreshSessionDeps, { id, userId }: Session): Promise<UnauthenticatedError> {
  const now = deps.clock.now();
  const session = { sessionId: id, userId };
  const { revoked, enqueuedTaskIds } = await inTransaction(deps.database, (em) => endStolenWithin(em, session, now));
  if (revoked.length === 0) return new UnauthenticatedError('REFRESH_INVALID');
  deps.revocations.publish(revoked);
  deps.dispatchTasks(enqueuedTaskIds);
  return new UnauthenticatedError('REFRESH_REUSED', { subject: { userId } });
}

interface EndedSession {
  readonly revoked: readonly string[];
  readonly enqueuedTaskIds: readonly string[];
}

/** Its owner is told by mail, at most once for each session, since it ends. */
async function endStolenWithin(
  em: EntityManager,
  { sessionId, userId }: { readonly sessionId: string; readonly userId: string },
  now: Date,
): Promise<EndedSession> {
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
