import type { RetentionRule } from '../database/index.js';
import { auditRetentionRules } from './audit/record-audit-event.js';
import { TASK_RETENTION_RULES } from './follow-ups/task-retention-rules.js';
import { IDEMPOTENCY_RETENTION_RULE } from './idempotency/idempotency-retention.js';
import { MAILED_LINK_RETENTION_RULES } from './mailed-links/retention-rules.js';
import { KNOWN_NETWORK_RETENTION_RULE } from './rate-limiting/known-networks.js';
import { RATE_LIMIT_RETENTION_RULE } from './rate-limiting/rate-limit-counters.js';
import { revocationRetentionRule } from './revocation/revocation-registry.js';
import { NOTICE_RECIPIENT_RETENTION_RULE } from './security-notices/send-security-notice.js';
import { sessionRetentionRule } from './sessions/session-lifetime.js';

export interface RetentionSettings {
  readonly accessTokenTtlMs: number;
  /** How long audit events are retained; null for forever. */
  readonly auditRetentionMs: number | null;
}

/** The retention rules of all folders of accounts. */
export function accountRetentionRules({
  accessTokenTtlMs,
  auditRetentionMs,
}: RetentionSettings): readonly RetentionRule[] {
  return [
    sessionRetentionRule(accessTokenTtlMs),
    revocationRetentionRule(accessTokenTtlMs),
    RATE_LIMIT_RETENTION_RULE,
    KNOWN_NETWORK_RETENTION_RULE,
    ...TASK_RETENTION_RULES,
    ...MAILED_LINK_RETENTION_RULES,
    IDEMPOTENCY_RETENTION_RULE,
    NOTICE_RECIPIENT_RETENTION_RULE,
    ...auditRetentionRules(auditRetentionMs),
  ];
}
