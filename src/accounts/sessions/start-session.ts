import { statement, type Database } from '../../database/index.js';
import { VIEWER_COLUMNS, type ViewerView } from '../identity/account-loaders.js';
import { newId } from '../identity/new-id.js';
import type { ClientInfo } from '../ports/client-info.js';
import type { Clock } from '../ports/clock.js';
import { networkMac, upsertKnownNetworksSql } from '../rate-limiting/known-networks.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import { MAX_SESSIONS_PER_ACCOUNT } from './enforce-session-limit.js';
import { sessionClient } from './session-client.js';
import { sessionExpiry } from './session-lifetime.js';
import type { Session } from './session.entity.js';

export interface StartSessionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly serverSecret: ServerSecret;
  readonly refreshTokenTtlMs: number;
}

export interface VerifiedLogin {
  readonly userId: string;
  /** The hash that the password was verified against. */
  readonly passwordHash: string;
  /** The same password hashed with the parameters in force; null when it is already. */
  readonly rehashed: string | null;
}

export interface StartedSession {
  readonly session: Pick<Session, 'id' | 'generation' | 'expiresAt'>;
  readonly user: ViewerView;
  /** Whether the account has more sessions than allowed. Concurrent logins do not count each other. */
  readonly exceedsLimit: boolean;
}

/**
 * All writes of a login in one round trip. Several statements under the account's lock would serialize the logins of
 * one account, each holding a database connection.
 *
 * The update waits for the holder of the row lock and then sees its changes: an account that was deleted, disabled or
 * given another password returns no row, and nothing is written. `on conflict do nothing`, and accepting its own new
 * hash, make the statement repeatable.
 */
const START_SESSION = statement<ViewerView & { readonly others: number }>(
  'start_session',
  `
  with owner as (
    update account set last_login_at = $2, password_hash = coalesce($4, password_hash)
    where id = $1 and password_hash in ($3, $4) and disabled_at is null
    returning ${VIEWER_COLUMNS}
  ), network as (
    ${upsertKnownNetworksSql('select id, $5::bytea, $2::timestamptz from owner')}
  ), started as (
    insert into session (id, user_id, created_at, rotated_at, expires_at, user_agent, address)
    select $6::uuid, id, $2, $2, $7::timestamptz, $8, $9 from owner on conflict (id) do nothing
  ), audited as (
    insert into audit_event (id, at, action, actor_id, subject_id, detail)
    select $10::uuid, $2, 'login', id, id, jsonb_build_object('sessionId', $6::uuid) from owner
    on conflict (id) do nothing
  )
  select owner.*, (select count(*)::integer from session where user_id = $1) as others from owner`,
);

/**
 * Starts a session for a user whose password was verified before.
 *
 * @returns null when the password was replaced since, or the account is disabled or deleted
 */
export async function startSession(
  deps: StartSessionDeps,
  { userId, passwordHash, rehashed }: VerifiedLogin,
  client: ClientInfo,
): Promise<StartedSession | null> {
  const now = deps.clock.now();
  const session = { id: newId(), generation: 1, expiresAt: sessionExpiry(now, now, deps.refreshTokenTtlMs) };
  const { userAgent, address } = sessionClient(client);
  const [started] = await deps.database.write(
    START_SESSION,
    [
      userId,
      now,
      passwordHash,
      rehashed,
      networkMac(deps.serverSecret, client),
      session.id,
      session.expiresAt,
      userAgent,
      address,
      newId(),
    ],
    { idempotent: true },
  );
  if (started === undefined) return null;
  const { others, ...user } = started;
  return { session, user, exceedsLimit: others >= MAX_SESSIONS_PER_ACCOUNT };
}
