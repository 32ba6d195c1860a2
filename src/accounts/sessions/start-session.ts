import { statement } from '../../database/index.js';
import type { AccountsDeps } from '../deps.js';
import type { ViewerView } from '../identity/account-loaders.js';
import type { ClientInfo } from '../identity/client-info.js';
import { newId } from '../identity/new-id.js';
import { networkMac, upsertKnownNetworksSql } from '../rate-limiting/known-networks.js';
import { MAX_SESSIONS_PER_ACCOUNT } from './enforce-session-limit.js';
import { sessionClient } from './session-client.js';
import { sessionExpiry } from './session-lifetime.js';
import type { Session } from './session.entity.js';

export interface VerifiedLogin {
  readonly userId: string;
  /** What the password was checked against. */
  readonly passwordHash: string;
  /** The same password, hashed with the parameters in force; null when it is already. */
  readonly rehashed: string | null;
}

export interface StartedSession {
  readonly session: Pick<Session, 'id' | 'generation' | 'expiresAt'>;
  readonly user: ViewerView;
  /** Whether the account has more sessions now than it may have; logins at the same moment do not see each other's. */
  readonly exceedsLimit: boolean;
}

/**
 * All that a login writes, in one trip: several under the account's lock would have the logins of one account wait for each
 * other, each with a database connection in its hand.
 *
 * The update waits for whoever holds the account's lock, and sees what came of that: an account that was deleted, disabled or
 * given another password meanwhile gives no row, and then nothing is written. The last conflicts, and that its own new hash is as
 * good as the one that was checked, let it be run twice.
 */
const BEGIN_SESSION = statement<ViewerView & { readonly others: number }>(
  'begin_session',
  `
  with owner as (
    update account set last_login_at = $2, password_hash = coalesce($4, password_hash)
    where id = $1 and password_hash in ($3, $4) and disabled_at is null
    returning id, username, display_name as "displayName", email, email_verified_at is not null as "emailVerified", roles, created_at as "createdAt"
  ), network as (
    ${upsertKnownNetworksSql('select id, $5::bytea, $2::timestamptz from owner')}
  ), begun as (
    insert into session (id, user_id, created_at, rotated_at, expires_at, user_agent, address)
    select $6::uuid, id, $2, $2, $7::timestamptz, $8, $9 from owner on conflict (id) do nothing
  ), audited as (
    insert into audit_event (id, at, action, actor_id, subject_id, detail)
    select $10::uuid, $2, 'login', id, id, jsonb_build_object('sessionId', $6::uuid) from owner on conflict (id) do nothing
  )
  select owner.*, (select count(*)::integer from session where user_id = $1) as others from owner`,
);

/**
 * Begins a session of somebody whose password was checked before.
 *
 * @returns null when the account has another password since, or is disabled or gone
 */
export async function startSession(
  deps: AccountsDeps,
  { userId, passwordHash, rehashed }: VerifiedLogin,
  client: ClientInfo,
): Promise<StartedSession | null> {
  const now = deps.clock.now();
  const session = { id: newId(), generation: 1, expiresAt: sessionExpiry(now, now, deps.refreshTokenTtlMs) };
  const { userAgent, address } = sessionClient(client);
  const [begun] = await deps.database.execute(
    BEGIN_SESSION,
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
  if (begun === undefined) return null;
  const { others, ...user } = begun;
  return { session, user, exceedsLimit: others >= MAX_SESSIONS_PER_ACCOUNT };
}
