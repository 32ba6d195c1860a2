import { createTransport } from 'nodemailer';
import SMTPTransport from 'nodemailer/lib/smtp-transport';
import type { Mailer } from '../accounts/ports/mailer.js';
import { toMimeMessage } from './mime-message.js';

const STEP_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 20_000;
/** Bounds a whole delivery, since a server that sends single bytes never exceeds the other limits. */
const SEND_TIMEOUT_MS = 60_000;

export interface SmtpMailerOptions {
  /** `smtp://` or `smtps://`, optionally with user and password; its query may set options of nodemailer. */
  readonly smtpUrl: string;
  readonly from: string;
  /** Default 60 s. */
  readonly sendTimeoutMs?: number;
}

/**
 * Creates a mailer that opens one SMTP connection per mail. It holds no open connection, so it needs no `close()`.
 *
 * After a timeout the server may have accepted the mail. A retry has the same Message-ID.
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
        throw new Error(`The mail server did not take the mail (${errorCodes(error)}).`);
      });
    },
    async check() {
      await transport.verify();
    },
  };
}

/**
 * Returns the codes of an SMTP error. Its message, which quotes the recipient, is left out because errors of tasks are
 * stored and logged. For the same reason the error is not set as the cause.
 */
function errorCodes(error: unknown): string {
  const properties = new Map<string, unknown>(Object.entries(error instanceof Error ? error : {}));
  return ['code', 'command', 'responseCode']
    .map((name) => properties.get(name))
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(', ');
}
