import type { EntityManager } from '@mikro-orm/postgresql';
import type { Client } from '../client.js';
import type { AccountsDeps } from '../deps.js';
import { newId } from '../new-id.js';
import { revokeLeastUsed } from '../revocation/revoke-sessions.js';
import { Session } from '../session.entity.js';
import { sessionClient } from './session-client.js';
import { sessionExpiry } from './session-life.js';

/**
 * More than anybody has devices, and few enough to be listed at once: a program that logs in anew for each call, and never
 * logs out, fills no table.
 */
export const MOST_SESSIONS = 1_000;

export interface BegunSession {
  readonly session: Session;
  /** Those that had to make room, to be announced after the commit. */
  readonly ended: readonly string[];
}

/**
 * Begins a session in the caller's transaction, which holds the lock of the account: of logins at the same moment each counts
 * the others. One that would be too many ends the one that was used least recently.
 */
export async function beginSession(
  em: EntityManager,
  { clock, refreshTokenTtlMs }: Pick<AccountsDeps, 'clock' | 'refreshTokenTtlMs'>,
  userId: string,
  client: Client,
): Promise<BegunSession> {
  const now = clock.now();
  const ended = await revokeLeastUsed(em, { userId, keep: MOST_SESSIONS - 1 }, now);
  const session = em.create(Session, {
    id: newId(),
    userId,
    createdAt: now,
    rotatedAt: now,
    expiresAt: sessionExpiry(now, now, refreshTokenTtlMs),
    ...sessionClient(client),
  });
  em.persist(session);
  return { session, ended };
}
