import type { EntityManager } from '@mikro-orm/postgresql';
import type { Client } from '../client.js';
import type { AccountsDeps } from '../deps.js';
import { newId } from '../new-id.js';
import { Session } from '../session.entity.js';
import { sessionClient } from './session-client.js';
import { sessionExpiry } from './session-life.js';

/** Begins a session in the caller's transaction, which holds the lock of the account. */
export function beginSession(
  em: EntityManager,
  { clock, refreshTokenTtlMs }: Pick<AccountsDeps, 'clock' | 'refreshTokenTtlMs'>,
  userId: string,
  client: Client,
): Session {
  const now = clock.now();
  const session = em.create(Session, {
    id: newId(),
    userId,
    createdAt: now,
    rotatedAt: now,
    expiresAt: sessionExpiry(now, now, refreshTokenTtlMs),
    ...sessionClient(client),
  });
  em.persist(session);
  return session;
}
