import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const SOFT_LINE_BREAK = /=\r\n/g;
const ESCAPED_BYTE = /=([0-9A-F]{2})/g;
const LINK_PATTERNS = {
  'verify-email': /\/verify-email#secret=([\w.~-]+)/,
  invitation: /\/invitation#secret=([\w.~-]+)/,
} as const;

/** Returns the secret of a link that was mailed to `address`; null when the folder has no such mail. */
export async function findMailedSecret(
  outboxDir: string,
  address: string,
  page: keyof typeof LINK_PATTERNS,
): Promise<string | null> {
  const names = await readdir(outboxDir).catch(() => []);
  for (const name of names.filter((each) => each.endsWith('.eml'))) {
    const mail = await readFile(join(outboxDir, name), 'utf8');
    const secret = mail.includes(`To: ${address}\r\n`)
      ? LINK_PATTERNS[page].exec(decodeQuotedPrintable(mail))?.[1]
      : undefined;
    if (secret !== undefined) return secret;
  }
  return null;
}

/** Decodes quoted-printable text (RFC 2045, section 6.7) in ASCII, which suffices for links. */
function decodeQuotedPrintable(mail: string): string {
  return mail
    .replace(SOFT_LINE_BREAK, '')
    .replace(ESCAPED_BYTE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
