export type { MailLog } from './file-mailer.js';
export { type MailerOptions, openMailer } from './open-mailer.js';
