/** Everything that is written into the audit; append-only, since what was written once stays. */
export const AUDIT_ACTIONS = [
  'login',
  'password.changed',
  'password.reset',
  /** Another address was given, and is asked to be proven. */
  'email.change-requested',
  /** An address was proven, and is the account's from then on. */
  'email.verified',
  'email.removed',
  /** Their owner ended them, by a logout or by a login beyond as many as an account may have. */
  'sessions.revoked',
  /** A refresh token was used twice: somebody had copied it, and the session was ended. */
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
