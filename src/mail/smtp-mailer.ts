import { createTransport } from 'nodemailer';
import SMTPTransport from 'nodemailer/lib/smtp-transport';
import type { Mailer } from '../accounts/ports/mailer.js';
import { toMimeMessage } from './mime-message.js';

const STEP_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 20_000;
/** Bounds a whole delivery: a server that answers one byte at a time never runs into the other limits. */
const SEND_TIMEOUT_MS = 60_000;

export interface SmtpMailerOptions {
  /** `smtp://` or `smtps://`, with user and password where needed; its query may set any option of nodemailer. */
  readonly smtpUrl: string;
  readonly from: string;
  readonly sendTimeoutMs?: number;
}

/**
 * Hands mail to an SMTP server, one connection a mail: nothing stays open that would have to be closed,
 * or that the server could have dropped meanwhile.
 *
 * After a timeout the server may have taken the mail all the same; the repeat then has the same Message-ID.
 */
export function createSmtpMailer({ smtpUrl, from, sendTimeoutMs = SEND_TIMEOUT_MS }: SmtpMailerOptions): Mailer {
  const transport = createTransport(
    new SMTPTransport({
      url: smtpUrl,
      dnsTimeout: STEP_TIMEOUT_MS,
      connectionTimeout: STEP_TIMEOUT_MS,
      greetingTimeout: STEP_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
    }),
  );
  return {
    async send(mail) {
      const message = { ...toMimeMessage(mail, from), signal: AbortSignal.timeout(sendTimeoutMs) };
      await transport.sendMail(message).catch((error: unknown) => {
        throw new Error(`The mail server did not take the mail (${codesOf(error)}).`);
      });
    },
    async check() {
      await transport.verify();
    },
  };
}

/**
 * What failed, without the server's words: they quote the recipient, and what a job fails with is kept and logged.
 * For the same reason the error is not passed on as a cause.
 */
function codesOf(error: unknown): string {
  const told = new Map<string, unknown>(Object.entries(error instanceof Error ? error : {}));
  return ['code', 'command', 'responseCode']
    .map((name) => told.get(name))
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(', ');
}
