import { statement, type Database, type TaskPayload } from '../../database/index.js';
import { claimKeySql } from '../idempotency/claim-idempotency-key.js';
import { VIEWER_COLUMNS, type ViewerView } from '../identity/account-loaders.js';
import type { Account } from '../identity/account.entity.js';
import { verificationExpiry } from '../mailed-links/email-verification.js';
import type { RegisterResult } from './register-result.js';

/** What a registration stores besides its Idempotency-Key. */
export interface StoredRegistration {
  readonly account: Pick<
    Account,
    'id' | 'username' | 'usernameKey' | 'email' | 'emailKey' | 'displayName' | 'passwordHash' | 'createdAt'
  >;
  readonly followUps: readonly { readonly id: string; readonly name: string; readonly payload: TaskPayload }[];
}

/**
 * The account is new, so no other transaction can change it, and it needs no lock. The repetition after a lost
 * connection finds the id, inserts nothing, and returns the account.
 */
const REGISTER = statement<ViewerView>(
  'register_account',
  `
  with ${claimKeySql('$1')}, registered as (
    insert into account (id, username, username_key, email, email_key, display_name, password_hash, created_at)
    select $2::uuid, $3, $4, $5, $6, $7, $8, $9::timestamptz from permitted
    on conflict (id) do nothing
    returning ${VIEWER_COLUMNS}
  ), verification as (
    insert into email_verification (user_id, email, email_key, issue, expires_at)
    select id, $5, $6, nextval('email_verification_issue')::integer, $10 from registered where $5 is not null
  ), enqueued as (
    insert into outbox_task (id, name, payload, registered_user_id, status, attempts, created_at, due_at)
    select task.id, task.name, task.payload, registered.id, 'QUEUED', 0, $9, $9
    from registered cross join json_to_recordset($11::json) as task (id uuid, name text, payload jsonb)
  )
  select * from registered
  union all select ${VIEWER_COLUMNS} from account where id = $2 and exists (select from permitted)`,
);

/**
 * Stores an account with the verification of its address and its follow-ups, by one statement.
 *
 * @param keyClaim as returned by `toKeyClaim`
 * @returns null when the Idempotency-Key is in use; nothing is stored then
 * @throws ConflictError `USERNAME_TAKEN`
 */
export async function storeRegistration(
  database: Database,
  { account, followUps }: StoredRegistration,
  keyClaim: string,
): Promise<RegisterResult | null> {
  const { id: userId, createdAt } = account;
  const values = [
    keyClaim,
    userId,
    account.username,
    account.usernameKey,
    account.email,
    account.emailKey,
    account.displayName,
    account.passwordHash,
    createdAt,
    verificationExpiry(createdAt),
    JSON.stringify(followUps),
  ];
  const [user] = await database.write(REGISTER, values, { idempotent: true });
  if (user === undefined) return null;
  const queued = { status: 'QUEUED', attempts: 0, createdAt, finishedAt: null, userId } as const;
  return { user, followUps: followUps.map(({ id, name }) => ({ id, name, ...queued })) };
}
