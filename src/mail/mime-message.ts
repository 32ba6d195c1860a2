import { domainToASCII } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import addressparser from 'nodemailer/lib/addressparser';
import type { Mail } from '../accounts/ports/mailer.js';

/** A dot-atom (RFC 5322 section 3.2.3) of characters that are also safe in the name of a file. */
const ID = /^[A-Za-z0-9_-]{1,128}(\.[A-Za-z0-9_-]{1,128})*$/;
/** One bare address: nothing that a header or an SMTP command could read as a second one. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;
const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * Turns a mail of the domain into what nodemailer builds its MIME message from.
 *
 * A line break in an address or a subject would start a header of the attacker's choice, so it is
 * refused here, whatever the builder does with it. The Message-ID follows from `mail.id`: a mail that is
 * sent twice, because the first answer was lost, is recognised as the same one.
 *
 * @throws Error that names the faulty part, never its value.
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
    // RFC 3834 section 5: keeps out-of-office replies from answering.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/**
 * Holds a sender (`Convene <no-reply@example.org>` or a bare address) to being exactly one address.
 *
 * @throws Error that does not repeat the value.
 */
export function validateSender(from: string): void {
  const addresses = addressparser(from, { flatten: true });
  const single = addresses.length === 1 && ADDRESS.test(addresses[0]?.address ?? '');
  requireSafe('sender', single && !CONTROL_CHARACTER.test(from));
}

/** Servers without SMTPUTF8 (RFC 6531) take a Unicode domain only as its A-labels. */
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
  if (!safe) throw new Error(`The ${part} of the mail is not acceptable.`);
}
