export type { MailLogger } from './file-mailer.js';
export { type MailerOptions, createMailer } from './open-mailer.js';
