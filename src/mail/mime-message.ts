import { domainToASCII } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import addressparser from 'nodemailer/lib/addressparser';
import type { Mail } from '../accounts/ports/mailer.js';
import { PermanentError } from '../errors/index.js';

/** A dot-atom (RFC 5322, section 3.2.3) of characters that are safe in file names. */
const ID = /^[A-Za-z0-9_-]{1,128}(\.[A-Za-z0-9_-]{1,128})*$/;
/** One bare address, without characters that headers or SMTP commands would parse as a second one. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;
const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * Converts a mail of the domain to the message options of nodemailer. The Message-ID is derived from `mail.id`, so that
 * a repeated mail is recognised as the same one.
 *
 * @throws PermanentError when a part is invalid; the message names the part, never its value
 *
 * Reason: a line break in an address or subject would inject a header, so it is rejected before nodemailer sees it.
 */
export function toMimeMessage(mail: Mail, from: string): SendMailOptions {
  requireSafe('id', ID.test(mail.id));
  const recipient = withAsciiDomain(mail.to);
  requireSafe('recipient', ADDRESS.test(mail.to) && ADDRESS.test(recipient));
  requireSafe('subject', !CONTROL_CHARACTER.test(mail.subject));
  return {
    from,
    to: { name: '', address: recipient },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.id}@${domainOf(from)}>`,
    // RFC 3834, section 5: prevents automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/**
 * Validates a sender: `Convene <no-reply@example.org>` or a bare address.
 *
 * @throws Error when it is not exactly one address; the message does not repeat the value
 */
export function validateSender(from: string): void {
  const addresses = addressparser(from, { flatten: true });
  const single = addresses.length === 1 && ADDRESS.test(addresses[0]?.address ?? '');
  requireSafe('sender', single && !CONTROL_CHARACTER.test(from));
}

/** Converts the domain to A-labels, which servers without SMTPUTF8 (RFC 6531) require. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  return address.slice(0, at) + (/\P{ASCII}/u.test(domain) ? domainToASCII(domain) : domain);
}

function domainOf(from: string): string {
  const address = addressparser(from, { flatten: true })[0]?.address ?? '';
  return address.slice(address.lastIndexOf('@') + 1);
}

function requireSafe(part: string, safe: boolean): void {
  if (!safe) throw new PermanentError(`The ${part} of the mail is not acceptable.`);
}
