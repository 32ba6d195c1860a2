import { isIP } from 'node:net';
import { getCACertificates } from 'node:tls';
import { createTransport } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import SMTPTransport from 'nodemailer/lib/smtp-transport';
import PQueue from 'p-queue';
import type { Mailer } from '../accounts/ports/mailer.js';
import { toMimeMessage } from './mime-message.js';
import { credentialsIn, explainSmtpError, partsOfAddress, toSmtpFailure } from './smtp-failure.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** A server may scan the mail before it accepts it. */
const IDLE_TIMEOUT_MS = 30_000;
/**
 * Bounds a whole delivery. Shorter than an attempt at a task (`HANDLER_TIMEOUT_MS`): an attempt that ended first would
 * be repeated although its mail is still accepted.
 */
export const MAX_SEND_MS = 40_000;

/** Mail servers limit the connections of a client. Half of the concurrent tasks, so that none waits for long. */
const MAX_CONNECTIONS = 16;

const UNENCRYPTED = 'mails, with their links, travel unencrypted; use smtps:// or STARTTLS';

export interface SmtpMailerOptions {
  /** `smtp://` or `smtps://`, optionally with user and password; its query may set options of nodemailer. */
  readonly smtpUrl: string;
  readonly from: string;
  /** Certificates in PEM of authorities that are trusted besides those of Node.js. */
  readonly caCertificates: readonly string[];
  readonly sendTimeoutMs?: number;
}

/**
 * Creates a mailer that opens one SMTP connection per mail, and at most 16 at a time. It holds no open connection, so
 * it needs no `close()`.
 *
 * STARTTLS is used when the server offers it. It is required for a password that leaves the machine. Certificates are
 * verified.
 *
 * After a timeout the server may have accepted the mail. A retry has the same Message-ID.
 */
export function createSmtpMailer(options: SmtpMailerOptions): Mailer {
  const { smtpUrl, from, sendTimeoutMs = MAX_SEND_MS } = options;
  const smtp = new SMTPTransport(transportOptions(options));
  const transport = createTransport(smtp);
  const credentials = credentialsIn(smtpUrl);
  const connections = new PQueue({ concurrency: MAX_CONNECTIONS });
  return {
    async send(mail) {
      // The wait for a connection counts.
      const message = { ...toMimeMessage(mail, from), signal: AbortSignal.timeout(sendTimeoutMs) };
      await connections
        .add(() => transport.sendMail(message))
        .catch((error: unknown) => {
          throw toSmtpFailure(error, [...partsOfAddress(mail.to), ...credentials]);
        });
    },
    async check() {
      await transport.verify().catch((error: unknown) => {
        throw new Error(explainSmtpError(error, credentials));
      });
      return isLoopback(new URL(smtpUrl).hostname) || (await isEncrypted(smtp)) ? null : UNENCRYPTED;
    },
  };
}

function transportOptions({ smtpUrl, caCertificates }: SmtpMailerOptions): SMTPTransport.Options {
  const url = new URL(smtpUrl);
  return {
    url: smtpUrl,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
    ...(needsEncryption(url) ? { requireTLS: true } : {}),
    ...(caCertificates.length === 0 ? {} : { tls: { ca: [...getCACertificates('default'), ...caCertificates] } }),
  };
}

function needsEncryption({ protocol, password, hostname, searchParams }: URL): boolean {
  const isAllowed = searchParams.get('ignoreTLS') === 'true';
  return protocol === 'smtp:' && password !== '' && !isLoopback(hostname) && !isAllowed;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Opens a connection of its own, because nodemailer tells nothing about that of `verify()`. */
function isEncrypted({ options }: SMTPTransport): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const connection = new SMTPConnection(options);
    connection.on('error', reject);
    connection.connect((error) => {
      connection.quit();
      if (error) reject(error);
      else resolve(connection.secure);
    });
  });
}
