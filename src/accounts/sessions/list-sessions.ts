import { statement, type Database } from '../../database/index.js';
import type { Actor } from '../identity/actor.js';
import type { Clock } from '../ports/clock.js';
import { MAX_SESSIONS_PER_ACCOUNT } from './enforce-session-limit.js';

export interface ListSessionsDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** A session, as shown to its user. */
export interface SessionView {
  readonly id: string;
  /** Whether the request was made with this session. */
  readonly current: boolean;
  readonly createdAt: Date;
  /** Time of the last login or refresh. */
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly userAgent: string | null;
  readonly address: string | null;
}

const SESSIONS = statement<Omit<SessionView, 'current'>>(
  'sessions_of',
  `
  select id, created_at as "createdAt", rotated_at as "lastUsedAt", expires_at as "expiresAt",
    user_agent as "userAgent", address
  from session where user_id = $1 and expires_at > $2 order by rotated_at desc, id desc limit $3`,
);

/** Lists the valid sessions of a user, most recently used first. The caller checks that the actor may see them. */
export async function listSessions(
  { database, clock }: ListSessionsDeps,
  actor: Actor,
  userId: string,
): Promise<SessionView[]> {
  const rows = await database.query(SESSIONS, [userId, clock.now(), MAX_SESSIONS_PER_ACCOUNT]);
  return rows.map((row) => ({ ...row, current: actor.kind === 'user' && actor.sessionId === row.id }));
}
