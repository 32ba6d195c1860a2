import { readFileSync } from 'node:fs';
import { checkServerIdentity, getCACertificates, type ConnectionOptions } from 'node:tls';
import { isError, OperatorError } from '../../errors/index.js';
import type { TlsPolicy } from './database-target.js';

/**
 * Reads the files of the policy, so that a renewed certificate applies to the next connection.
 *
 * As in libpq, a root certificate has the server's certificate verified in every mode, and `verify-full` alone compares
 * its name with the host.
 *
 * @throws OperatorError that names a file that cannot be read
 */
export function tlsOptions(policy: TlsPolicy, host: string): ConnectionOptions {
  const { mode, rootCertificateFile, certificateFile, keyFile, keyPassphrase } = policy;
  const ca = rootCertificates(rootCertificateFile);
  return {
    rejectUnauthorized: mode === 'verify-full' || ca !== undefined,
    // The host is given because Node compares the name with "localhost" when the host is an address.
    checkServerIdentity: (_name, certificate) =>
      mode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
    ...(ca !== undefined && { ca }),
    ...(certificateFile !== null && { cert: readPem('sslcert', certificateFile) }),
    ...(keyFile !== null && { key: readPem('sslkey', keyFile) }),
    ...(keyPassphrase !== null && { passphrase: keyPassphrase }),
  };
}

/** @returns undefined for the certificate authorities that come with Node */
function rootCertificates(file: string | null): string[] | string | undefined {
  if (file === null) return undefined;
  return file === 'system' ? getCACertificates('system') : readPem('sslrootcert', file);
}

function readPem(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = isError(error) ? error.message : String(error);
    throw new OperatorError(`The file that ${parameter} of the database URL names cannot be read: ${reason}.`);
  }
}
