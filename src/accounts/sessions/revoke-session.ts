import { inTransaction, type Database } from '../../database/index.js';
import { NotFoundError } from '../../errors/index.js';
import { recordSessionsRevoked } from '../audit/record-audit-event.js';
import { requireUser, type Actor } from '../identity/actor.js';
import type { Clock } from '../ports/clock.js';
import type { RevocationRegistry } from '../revocation/revocation-registry.js';
import { revokeSessionById } from '../revocation/revoke-sessions.js';
import { Session } from './session.entity.js';

export interface RevokeSessionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly revocations: RevocationRegistry;
}

/**
 * Revokes one of the caller's own sessions, also the current one.
 *
 * @throws UnauthenticatedError
 * @throws NotFoundError `SESSION_NOT_FOUND`; also for a session of another user, and for one that was revoked
 */
export async function revokeSession(
  deps: RevokeSessionDeps,
  actor: Actor,
  sessionId: string,
): Promise<{ revokedSessions: number }> {
  const { userId } = requireUser(actor);
  const revoked = await inTransaction(deps.database, async (em) => {
    const isOwn = (await em.count(Session, { id: sessionId, userId })) > 0;
    const now = deps.clock.now();
    return isOwn ? recordSessionsRevoked(em, userId, await revokeSessionById(em, sessionId, now), now) : [];
  });
  if (revoked.length === 0) throw new NotFoundError('SESSION_NOT_FOUND');
  deps.revocations.publish(revoked);
  return { revokedSessions: revoked.length };
}
