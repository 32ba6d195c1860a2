import { DAY_MS } from '../../async/durations.js';
import { isOlderThanSql, type RetentionRule } from '../../database/index.js';

/** Until then the user can request another link to an unverified address; afterwards the address is erased. */
const UNVERIFIED_ADDRESS_RETENTION_MS = 30 * DAY_MS;

export const MAILED_LINK_RETENTION_RULES: readonly RetentionRule[] = [
  { table: 'password_reset', ageColumn: 'expires_at', condition: isOlderThanSql('expires_at') },
  {
    table: 'email_verification',
    ageColumn: 'expires_at',
    condition: isOlderThanSql('expires_at', UNVERIFIED_ADDRESS_RETENTION_MS),
  },
];
