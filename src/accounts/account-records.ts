import { type Database, type Statement, statement } from '../database/index.js';

/** Parts of a document, each with the statement that reads its rows. */
export type Sections = Readonly<Record<string, Statement<object>>>;

/** One part after the other: a document that is asked for rarely must not take the connections of everybody else. */
export async function readSections(database: Database, sections: Sections, values: readonly unknown[]): Promise<Record<string, object[]>> {
  const document: Record<string, object[]> = {};
  for (const [name, section] of Object.entries(sections)) document[name] = await database.read(section, values);
  return document;
}

/** All that accounts keep about one, but for the hashes that stand for its password and for where it was used. */
const SECTIONS: Sections = {
  profile: statement('records_profile', `
    select id, username, display_name as "displayName", email, email_verified_at as "emailVerifiedAt", roles, disabled_at as "disabledAt",
      created_at as "createdAt", last_login_at as "lastLoginAt"
    from account where id = $1`),
  emailVerifications: statement('records_verifications', `
    select email, expires_at as "expiresAt", used_at as "usedAt" from email_verification where user_id = $1`),
  passwordResets: statement('records_resets', `
    select expires_at as "expiresAt" from password_reset where user_id = $1 order by expires_at`),
  sessions: statement('records_sessions', `
    select id, created_at as "createdAt", rotated_at as "lastUsedAt", expires_at as "expiresAt", user_agent as "userAgent", address
    from session where user_id = $1 order by created_at, id`),
  knownNetworks: statement('records_networks', `
    select last_login_at as "lastLoginAt" from known_address where user_id = $1 order by last_login_at`),
  followUps: statement('records_follow_ups', `
    select id, name, status, attempts, created_at as "createdAt", finished_at as "finishedAt"
    from outbox_task where registered_user_id = $1 order by id`),
  otherTasks: statement('records_tasks', `
    select id, name, status, attempts, created_at as "createdAt", finished_at as "finishedAt"
    from outbox_task where registered_user_id is null and payload ->> 'userId' = $1::text order by id`),
  notices: statement('records_notices', `
    select task.name, recipient.email as "to", task.created_at as "createdAt"
    from notice_recipient recipient join outbox_task task on task.id = task_id where user_id = $1 order by task_id`),
  repeatableRequests: statement('records_requests', `
    select made, at from idempotent_request where account_id = $1 order by at`),
  auditEvents: statement('records_audit', `
    select at, action, coalesce(actor_id = $1, false) as "doneByYou", coalesce(subject_id = $1, false) as "aboutYou", detail
    from audit_event where actor_id = $1 or subject_id = $1 order by at, id`),
  events: statement('records_events', `
    select id, kind, at from account_event where user_id = $1 order by at, id`),
};

/** Everything that is kept about an account, part by part; what groups keep about it is theirs to add. */
export function readAccountRecords(database: Database, userId: string): Promise<Record<string, object[]>> {
  return readSections(database, SECTIONS, [userId]);
}
