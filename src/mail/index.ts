export type { MailLogger } from './file-mailer.js';
export { type MailerOptions, createMailer } from './create-mailer.js';
