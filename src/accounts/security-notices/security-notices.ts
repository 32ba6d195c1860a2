/** What an account's owner is told of by mail, so that they notice when it was somebody else; each names the task that owes the mail. */
export const SECURITY_NOTICES = [
  'notify_password_changed',
  'notify_password_reset',
  /** Another address was proven, and has taken the place of a proven one; told to the one that went. */
  'notify_email_replaced',
  'notify_email_removed',
  /** A refresh token was used twice, which ended its session. */
  'notify_session_stolen',
] as const;

export type SecurityNotice = (typeof SECURITY_NOTICES)[number];
