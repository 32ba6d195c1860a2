/** Security events that are mailed to the account's owner. Each name is also that of the outbox task. */
export const SECURITY_NOTICES = [
  'notify_password_changed',
  'notify_password_reset',
  /** A verified address was replaced by another one; mailed to the replaced address. */
  'notify_email_replaced',
  'notify_email_removed',
  /** A refresh token was reused, which revoked its session. */
  'notify_session_stolen',
] as const;

export type SecurityNotice = (typeof SECURITY_NOTICES)[number];
