import { DAY_MS } from '../async/durations.js';
import { isOlderThanSql, type RetentionRule } from '../database/index.js';
import { IDEMPOTENCY_RECORD_TTL_MS } from './idempotency/idempotency.js';
import { revocationStoredMs, revocationTtlMs } from './revocation/revocation-registry.js';

export interface RetentionSettings {
  readonly accessTokenTtlMs: number;
  /** For how long the audit is kept; null for ever. */
  readonly auditRetentionMs: number | null;
}

/** A network from which nobody has logged in for so long is a stranger's again. */
const NETWORK_KNOWN_MS = 90 * DAY_MS;
/** Until then another link to an address that was not proven can be asked for; afterwards nothing is known of the address. */
const UNPROVEN_KEPT_MS = 30 * DAY_MS;

/** What accounts keep no longer than it is of use. */
export function accountRetentionRules({
  accessTokenTtlMs,
  auditRetentionMs,
}: RetentionSettings): readonly RetentionRule[] {
  // A session, too, is kept until its last access token has expired, so that it can still be revoked.
  const tokensLiveMs = revocationTtlMs(accessTokenTtlMs);
  return [
    { table: 'session', ageColumn: 'expires_at', condition: isOlderThanSql('expires_at', tokensLiveMs) },
    {
      table: 'session_revocation',
      ageColumn: 'revoked_at',
      condition: isOlderThanSql('revoked_at', revocationStoredMs(accessTokenTtlMs)),
    },
    {
      table: 'rate_limit',
      ageColumn: 'expire',
      condition: 'expire < (extract(epoch from $1::timestamptz) * 1000)::bigint',
    },
    {
      table: 'known_address',
      ageColumn: 'last_login_at',
      condition: isOlderThanSql('last_login_at', NETWORK_KNOWN_MS),
    },
    { table: 'password_reset', ageColumn: 'expires_at', condition: isOlderThanSql('expires_at') },
    { table: 'email_verification', ageColumn: 'expires_at', condition: isOlderThanSql('expires_at', UNPROVEN_KEPT_MS) },
    { table: 'idempotent_request', ageColumn: 'at', condition: isOlderThanSql('at', IDEMPOTENCY_RECORD_TTL_MS) },
    // Few: those of mails that are under way, and of mails that were given up, whose addresses nobody needs any more. Each task is looked up.
    {
      table: 'notice_recipient',
      ageColumn: 'task_id',
      condition: isOlderThanSql('(select finished_at from outbox_task where id = task_id)'),
    },
    ...(auditRetentionMs === null
      ? []
      : [{ table: 'audit_event', ageColumn: 'at', condition: isOlderThanSql('at', auditRetentionMs) }]),
  ];
}
