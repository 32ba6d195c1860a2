import { DAY_MS } from '../async/durations.js';
import { isOlderThanSql, type RetentionRule } from '../database/index.js';
import { INVITATION_MAIL_WINDOW_MS } from './inviting/invitation-mail-budget.js';

const CLOSED_INVITATION_RETENTION_MS = 30 * DAY_MS;

/**
 * Retention rules of groups: closed invitations, and mail records that no limit counts any more. Expired invitations
 * are retained with their group, because they are part of its counts and visible to its owners.
 */
export const GROUP_RETENTION_RULES: readonly RetentionRule[] = [
  {
    table: 'invitation',
    ageColumn: 'expires_at',
    condition: `status in ('CLAIMED', 'DECLINED', 'REVOKED')
      and ${isOlderThanSql('expires_at', CLOSED_INVITATION_RETENTION_MS)}`,
  },
  { table: 'invitation_mail', ageColumn: 'at', condition: isOlderThanSql('at', INVITATION_MAIL_WINDOW_MS) },
];
