import { PermanentError } from '../errors/index.js';

/** What nodemailer adds to an error. Every part may be missing. */
interface SmtpError {
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly command?: unknown;
  /** The reply of the server, of one or more lines. */
  readonly response?: unknown;
  readonly responseCode?: unknown;
}

/** Commands that concern this mail. The other ones concern the connection or the login, which the operator can mend. */
const MAIL_COMMANDS: readonly unknown[] = ['MAIL FROM', 'RCPT TO', 'DATA'];
/** RFC 4954, section 6, and RFC 3207, section 4: authentication or encryption is missing. */
const SET_UP_REPLIES: readonly unknown[] = [530, 534, 535, 538];
const MAX_REPLY_CHARACTERS = 200;
/** A shorter local part is also an ordinary word. */
const MIN_PRIVATE_CHARACTERS = 3;

/** Reasons of Node's TLS, by words of their messages. The codes are lost when STARTTLS fails. */
const CERTIFICATE_PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/certificate has expired/i, 'its certificate has expired'],
  [/certificate is not yet valid/i, 'its certificate is not valid yet'],
  [/altnames|does not match certificate/i, 'its certificate does not name the host of SMTP_URL'],
  [
    /self[- ]signed certificate|(?:local )?issuer certificate|verify the first certificate/i,
    'its certificate is not signed by a trusted authority; name the certificate of the authority in SMTP_CA_FILE',
  ],
];
const NO_STARTTLS =
  'it offers no STARTTLS, and the password would travel unencrypted; use smtps://, or allow it by ?ignoreTLS=true';

/**
 * Converts an error of nodemailer into one that may be stored, logged and shown to administrators.
 *
 * @param secrets texts that a server may repeat: the recipient and the credentials
 * @returns a PermanentError when the server has refused this mail for good
 */
export function toSmtpFailure(error: unknown, secrets: readonly string[]): Error {
  const text = `The mail server did not take the mail: ${explainSmtpError(error, secrets)}.`;
  // The error is no cause, because its message quotes the recipient.
  return isPermanent(error) ? new PermanentError(text) : new Error(text);
}

/** Explains an error of nodemailer in a clause, with the reply of the server. */
export function explainSmtpError(error: unknown, secrets: readonly string[]): string {
  const { code, originalCode = code, command, response } = partsOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (command === 'STARTTLS' && code === 'ETLS' && typeof response === 'string')
    return `${NO_STARTTLS} (${quote(response, secrets)})`;
  if (typeof response === 'string') return `${quote(response, secrets)} (in reply to ${String(command)})`;
  const problem = CERTIFICATE_PROBLEMS.find(([words]) => words.test(message))?.[1];
  if (problem !== undefined) return `${problem} (${quote(message, secrets)})`;
  return `${quote(message, secrets)} (${String(originalCode)}, ${String(command)})`;
}

/** Returns the texts that must not appear in an error: the credentials of the URL, also as SMTP encodes them. */
export function credentialsIn(smtpUrl: string): string[] {
  const url = new URL(smtpUrl);
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const encoded = [password, user, `\0${user}\0${password}`].map((text) => Buffer.from(text).toString('base64'));
  return [password, ...encoded].filter((text) => text.length >= MIN_PRIVATE_CHARACTERS);
}

/** Returns the address and its local part, which servers quote too. */
export function partsOfAddress(address: string): string[] {
  const localPart = address.slice(0, address.lastIndexOf('@'));
  return localPart.length < MIN_PRIVATE_CHARACTERS ? [address] : [address, localPart];
}

/** RFC 5321, section 4.2.1: the client should not repeat a request after a reply 5yz. */
function isPermanent(error: unknown): boolean {
  const { command, responseCode } = partsOf(error);
  const isRefused = typeof responseCode === 'number' && responseCode >= 500;
  return isRefused && MAIL_COMMANDS.includes(command) && !SET_UP_REPLIES.includes(responseCode);
}

function quote(text: string, secrets: readonly string[]): string {
  const oneLine = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(new RegExp(escapeForPattern(secret), 'gi'), '…'), oneLine)
    .slice(0, MAX_REPLY_CHARACTERS);
}

function escapeForPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function partsOf(error: unknown): SmtpError {
  return Object.fromEntries(Object.entries(error instanceof Error ? error : {}));
}
