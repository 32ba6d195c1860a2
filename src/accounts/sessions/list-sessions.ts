import { statement, type Database } from '../../database/index.js';
import type { Actor } from '../identity/actor.js';
import type { Clock } from '../ports/clock.js';
import { MAX_SESSIONS_PER_ACCOUNT } from './enforce-session-limit.js';

export interface ListSessionsDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** One login, as the account's owner sees it. */
export interface SessionView {
  readonly id: string;
  /** Whether the request that asks belongs to it. */
  readonly current: boolean;
  readonly createdAt: Date;
  /** When it last logged in or refreshed. */
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly userAgent: string | null;
  readonly address: string | null;
}

const SESSIONS = statement<Omit<SessionView, 'current'>>(
  'sessions_of',
  `
  select id, created_at as "createdAt", rotated_at as "lastUsedAt", expires_at as "expiresAt", user_agent as "userAgent", address
  from session where user_id = $1 and expires_at > $2 order by rotated_at desc, id desc limit $3`,
);

/** A person's sessions that stand, the one used last first. The caller of this makes sure that they are `actor`'s to see. */
export async function listSessions(
  { database, clock }: ListSessionsDeps,
  actor: Actor,
  userId: string,
): Promise<SessionView[]> {
  const rows = await database.query(SESSIONS, [userId, clock.now(), MAX_SESSIONS_PER_ACCOUNT]);
  return rows.map((row) => ({ ...row, current: actor.kind === 'user' && actor.sessionId === row.id }));
}
