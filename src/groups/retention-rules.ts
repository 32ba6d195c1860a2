import { DAY_MS } from '../async/durations.js';
import { isOlderThanSql, type RetentionRule } from '../database/index.js';
import { INVITATION_MAIL_WINDOW_MS } from './inviting/invitation-mail-budget.js';

const CLOSED_KEPT_MS = 30 * DAY_MS;

/**
 * What groups keep no longer than it is of use: the addresses of invitations that are over, and of mails that no longer count.
 * An invitation that merely expired counts in its group for as long as that is there, and is shown to its owners.
 */
export const GROUP_RETENTION_RULES: readonly RetentionRule[] = [
  {
    table: 'invitation',
    ageColumn: 'expires_at',
    condition: `status in ('CLAIMED', 'DECLINED', 'REVOKED') and ${isOlderThanSql('expires_at', CLOSED_KEPT_MS)}`,
  },
  { table: 'invitation_mail', ageColumn: 'at', condition: isOlderThanSql('at', INVITATION_MAIL_WINDOW_MS) },
];
