import { pickProperties, statement, type Database } from '../../database/index.js';
import { VIEWER_COLUMNS, VIEWER_FIELDS, type ViewerView } from '../identity/account-loaders.js';
import type { ClientInfo } from '../ports/client-info.js';
import type { RefreshTokenClaims } from './refresh-token.js';
import { sessionClient } from './session-client.js';
import { sessionExpirySql } from './session-lifetime.js';
import type { Session } from './session.entity.js';

/** A session with the account of its user. */
export interface SessionWithUser extends Pick<Session, 'id' | 'generation' | 'rotatedAt' | 'expiresAt'> {
  readonly user: ViewerView;
  readonly isDisabled: boolean;
}

interface SessionRow extends ViewerView, Omit<SessionWithUser, 'id' | 'user'> {}

/** SQL for the columns of a `SessionRow`; `id` and `createdAt` are those of the account. */
const COLUMNS = `${VIEWER_COLUMNS}, account.disabled_at is not null as "isDisabled",
    session.generation, session.rotated_at as "rotatedAt", session.expires_at as "expiresAt"`;

/**
 * Needs no lock on the account: disabling or deleting it deletes its sessions, and so waits for this update, or is seen
 * by it.
 */
const ROTATE = statement<SessionRow>(
  'rotate_session',
  `
  update session set generation = session.generation + 1, rotated_at = $3,
    expires_at = ${sessionExpirySql('session.created_at', '$3', '$4')}, user_agent = $5, address = $6
  from account
  where session.id = $1 and session.generation = $2 and session.expires_at > $3
    and account.id = session.user_id and account.disabled_at is null
  returning ${COLUMNS}`,
);

const READ = statement<SessionRow>(
  'session_to_refresh',
  `
  select ${COLUMNS} from session join account on account.id = session.user_id where session.id = $1`,
);

export interface SessionRotation {
  readonly client: ClientInfo;
  readonly now: Date;
  readonly refreshTokenTtlMs: number;
}

/**
 * Makes the successor of a refresh token the current token of its session. Repeatable after a lost connection: the
 * repetition finds the token to be the predecessor.
 *
 * @returns null when it is not the current token of a valid session of an enabled account; nothing is changed then
 */
export async function rotateSession(
  database: Database,
  { sessionId, generation }: RefreshTokenClaims,
  { client, now, refreshTokenTtlMs }: SessionRotation,
): Promise<SessionWithUser | null> {
  const { userAgent, address } = sessionClient(client);
  const values = [sessionId, generation, now, refreshTokenTtlMs, userAgent, address];
  return fromRow(sessionId, await database.write(ROTATE, values, { idempotent: true }));
}

/** @returns null when the session was revoked */
export async function readSession(database: Database, sessionId: string): Promise<SessionWithUser | null> {
  return fromRow(sessionId, await database.query(READ, [sessionId]));
}

function fromRow(sessionId: string, [row]: readonly SessionRow[]): SessionWithUser | null {
  if (row === undefined) return null;
  const { generation, rotatedAt, expiresAt, isDisabled } = row;
  const user = pickProperties(row, [...VIEWER_FIELDS, 'emailVerified']);
  return { id: sessionId, generation, rotatedAt, expiresAt, isDisabled, user };
}
