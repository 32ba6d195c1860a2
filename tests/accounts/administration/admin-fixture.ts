import type { CreateApiKeyParams } from '../../../src/accounts/api-keys/create-api-key.js';
import type { AuditAction } from '../../../src/accounts/audit/audit-actions.js';
import { newId, type AuditDetail, type ServiceActor, type UserActor } from '../../../src/accounts/index.js';
import { createPasswordsFixture, type PasswordsFixture } from '../passwords/passwords-fixture.js';

export interface AuditRow {
  readonly id: string;
  readonly action: AuditAction;
  readonly actorId: string | null;
  readonly subjectId: string | null;
  readonly detail: AuditDetail | null;
}

export interface AdminFixture extends PasswordsFixture {
  /** A user with an account and without a session. */
  person(): Promise<UserActor>;
  administrator(): Promise<UserActor>;
  /** All audit events, oldest first. */
  audited(): Promise<AuditRow[]>;
  /** Number of transactions that wait for a lock. */
  waiting(): Promise<number>;
}

/** An API client with every scope. */
export const PROGRAM: ServiceActor = {
  kind: 'service',
  apiKeyId: newId(),
  name: 'matchmaker',
  scopes: ['groups:read', 'responses:write', 'scores:write'],
  groupIds: null,
};

/** A valid API key. */
export const MATCHER: CreateApiKeyParams = {
  name: 'matcher',
  scopes: ['groups:read'],
  groupIds: null,
  expiresAt: null,
};

export async function createAdminFixture(): Promise<AdminFixture> {
  const fixture = await createPasswordsFixture();
  const { sql, clock } = fixture;

  async function insert(roles: string): Promise<UserActor> {
    const userId = newId();
    await sql(
      `
      insert into account (id, username, username_key, password_hash, roles, created_at)
      values ($1, $2, $2, 'none', $3, $4)`,
      [userId, `p-${userId.slice(-12)}`, roles, clock.now()],
    );
    return { kind: 'user', userId, sessionId: newId() };
  }

  return {
    ...fixture,
    person: () => insert('{USER}'),
    administrator: () => insert('{USER,ADMIN}'),
    audited: () =>
      sql(
        'select id, action, actor_id as "actorId", subject_id as "subjectId", detail from audit_event order by at, id',
      ),
    waiting: async () => {
      const [row] = await sql<{ count: number }>(
        `
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row?.count ?? 0;
    },
  };
}
