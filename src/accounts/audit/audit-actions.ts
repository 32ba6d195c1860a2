/** All audit actions. Append-only, because stored events stay. */
export const AUDIT_ACTIONS = [
  'login',
  'password.changed',
  'password.reset',
  /** A verification of another address was started. */
  'email.change-requested',
  /** An address was verified and became the address of the account. */
  'email.verified',
  'email.removed',
  /** By a logout, or by a login beyond the maximum number of sessions. */
  'sessions.revoked',
  /** A refresh token was reused, which revoked its session. */
  'session.stolen',
  'account.disabled',
  'account.enabled',
  'account.deleted',
  'role.granted',
  'role.revoked',
  'api-key.created',
  'api-key.revoked',
  'signing-key.rotated',
  'follow-up.retried',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];
