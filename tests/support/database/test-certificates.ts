import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensurePostgresUser, isRoot } from '../../../src/database/embedded/system/os-user.js';

/** Certificates of a private authority, as files in PEM. */
export interface Certificates {
  readonly authorityFile: string;
  /** Another authority, which has signed nothing. */
  readonly strangerFile: string;
  /** Of the client `postgres`. */
  readonly clientFile: string;
  readonly clientKeyFile: string;
  /** Settings of PostgreSQL for the server's certificate, which names `localhost`. */
  readonly serverSettings: Readonly<Record<string, string>>;
}

export async function createCertificates(folder: string): Promise<Certificates> {
  await mkdir(folder);
  await chmod(folder, 0o755);
  const openssl = (...args: readonly string[]): Promise<unknown> =>
    promisify(execFile)('openssl', args, { cwd: folder });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  for (const name of ['authority', 'stranger'])
    await openssl('req', '-x509', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.crt`, '-subj', `/CN=${name}`);
  await writeFile(join(folder, 'server.cnf'), 'subjectAltName=DNS:localhost\n');
  await writeFile(join(folder, 'client.cnf'), 'extendedKeyUsage=clientAuth\n');
  for (const [name, subject] of [
    ['server', '/CN=localhost'],
    ['client', '/CN=postgres'],
  ] as const) {
    await openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', subject);
    const authority = ['-CA', 'authority.crt', '-CAkey', 'authority.key', '-CAcreateserial'];
    await openssl('x509', '-req', '-in', `${name}.csr`, ...authority, '-out', `${name}.crt`, '-extfile', `${name}.cnf`);
  }
  await chmod(join(folder, 'server.key'), 0o600);
  if (isRoot()) {
    const { uid, gid } = await ensurePostgresUser();
    await chown(join(folder, 'server.key'), uid, gid);
  }
  return {
    authorityFile: join(folder, 'authority.crt'),
    strangerFile: join(folder, 'stranger.crt'),
    clientFile: join(folder, 'client.crt'),
    clientKeyFile: join(folder, 'client.key'),
    serverSettings: {
      ssl: 'on',
      ssl_cert_file: join(folder, 'server.crt'),
      ssl_key_file: join(folder, 'server.key'),
      ssl_ca_file: join(folder, 'authority.crt'),
    },
  };
}
