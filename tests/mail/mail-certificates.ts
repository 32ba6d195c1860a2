import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programPath } from '../support/processes/installed-programs.js';

/** A key and a certificate of a mail server, in PEM. */
interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
}

export interface MailCertificates {
  /** The certificate of the private authority. */
  readonly authorityFile: string;
  readonly authority: string;
  readonly valid: ServerCertificate;
  readonly expired: ServerCertificate;
  readonly ofAnotherHost: ServerCertificate;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Creates a private authority in the folder, and certificates of it for `localhost`. */
export async function createMailCertificates(folder: string): Promise<MailCertificates> {
  const openssl = (...args: readonly string[]): Promise<unknown> =>
    promisify(execFile)(programPath('openssl'), args, { cwd: folder });

  async function sign(name: string, host: string, days: number): Promise<ServerCertificate> {
    await writeFile(join(folder, `${name}.cnf`), `subjectAltName=DNS:${host}\n`);
    await openssl('req', ...NEW_KEY, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${host}`);
    const authority = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', `${name}.cnf`];
    await openssl('x509', '-req', '-in', `${name}.csr`, ...authority, '-days', String(days), '-out', `${name}.pem`);
    return {
      key: await readFile(join(folder, `${name}.key`), 'utf8'),
      cert: await readFile(join(folder, `${name}.pem`), 'utf8'),
    };
  }

  await openssl(
    'req',
    '-x509',
    ...NEW_KEY,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Private',
    '-days',
    '9',
  );
  const authorityFile = join(folder, 'ca.pem');
  return {
    authorityFile,
    authority: await readFile(authorityFile, 'utf8'),
    valid: await sign('valid', 'localhost', 9),
    expired: await sign('expired', 'localhost', -1),
    ofAnotherHost: await sign('other', 'mail.example.org', 9),
  };
}
