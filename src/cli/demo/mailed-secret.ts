import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const SOFT_LINE_BREAK = /=\r\n/g;
const ESCAPED = /=([0-9A-F]{2})/g;
const LINKS = {
  'verify-email': /\/verify-email#secret=([\w.~-]+)/,
  invitation: /\/invitation#secret=([\w.~-]+)/,
} as const;

/** The secret of a link that was mailed to an address; null when there is no such mail in the folder. */
export async function findMailedSecret(
  outboxDir: string,
  address: string,
  page: keyof typeof LINKS,
): Promise<string | null> {
  const names = await readdir(outboxDir).catch(() => []);
  for (const name of names.filter((each) => each.endsWith('.eml'))) {
    const mail = await readFile(join(outboxDir, name), 'utf8');
    const secret = mail.includes(`To: ${address}\r\n`) ? LINKS[page].exec(decoded(mail))?.[1] : undefined;
    if (secret !== undefined) return secret;
  }
  return null;
}

/** Quoted-printable (RFC 2045 section 6.7), as far as links go. */
function decoded(mail: string): string {
  return mail
    .replace(SOFT_LINE_BREAK, '')
    .replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
