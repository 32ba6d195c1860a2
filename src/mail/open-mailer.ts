import type { Mailer } from '../accounts/ports.js';
import { type FileMailerOptions, fileMailer } from './file-mailer.js';
import { requireSender } from './message.js';
import { smtpMailer } from './smtp-mailer.js';

export interface MailerOptions extends FileMailerOptions {
  /** Undefined: mail goes to files. */
  readonly smtpUrl: string | undefined;
}

/**
 * The mailer that the settings ask for. Nothing is connected or written before the first mail or check.
 *
 * @throws Error when `from` is not exactly one address.
 */
export function openMailer({ smtpUrl, from, outboxDir, log }: MailerOptions): Mailer {
  requireSender(from);
  return smtpUrl === undefined ? fileMailer({ from, outboxDir, log }) : smtpMailer({ smtpUrl, from });
}
