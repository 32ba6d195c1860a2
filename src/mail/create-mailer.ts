import type { Mailer } from '../accounts/ports/mailer.js';
import type { FileMailerOptions } from './file-mailer.js';
import { validateSender } from './mime-message.js';

export interface MailerOptions extends FileMailerOptions {
  /** Undefined: mails are written to files. */
  readonly smtpUrl: string | undefined;
  /** Certificates in PEM of authorities that are trusted besides those of Node.js. */
  readonly caCertificates: readonly string[];
}

/**
 * Creates the mailer of the settings. It loads its library at the first mail or check.
 *
 * @throws Error when `from` is not exactly one address
 */
export function createMailer(options: MailerOptions): Mailer {
  validateSender(options.from);
  let loaded: Promise<Mailer> | null = null;
  const mailer = (): Promise<Mailer> => (loaded ??= loadMailer(options));
  return {
    send: async (mail) => (await mailer()).send(mail),
    check: async () => (await mailer()).check(),
  };
}

async function loadMailer({ smtpUrl, caCertificates, from, ...files }: MailerOptions): Promise<Mailer> {
  if (smtpUrl === undefined) return (await import('./file-mailer.js')).createFileMailer({ from, ...files });
  return (await import('./smtp-mailer.js')).createSmtpMailer({ smtpUrl, from, caCertificates });
}
