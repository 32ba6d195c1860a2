import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Options of the connection that the URL may set. Others could extend its timeouts, or print the password. */
const PARAMETERS: readonly string[] = [
  'authMethod',
  'ignoreTLS',
  'name',
  'requireTLS',
  'tls.ciphers',
  'tls.minVersion',
  'tls.rejectUnauthorized',
  'tls.servername',
];
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export function smtpUrl(): z.ZodType<string | null, string | undefined> {
  return z
    .string()
    .refine(isSmtpUrl, 'must be a URL that begins with smtp:// or smtps://')
    .refine(
      (text) => !isSmtpUrl(text) || [...new URL(text).searchParams.keys()].every((name) => PARAMETERS.includes(name)),
      `may have the parameters ${PARAMETERS.join(', ')} only`,
    )
    .optional()
    .transform((value) => value ?? null);
}

/** The certificates in a file. */
export function certificateFile(): z.ZodType<readonly string[], string | undefined> {
  return z
    .string()
    .transform(readCertificates)
    .refine((certificates) => certificates.length > 0, 'must name a readable file of certificates in PEM')
    .optional()
    .transform((certificates) => certificates ?? []);
}

function isSmtpUrl(text: string): boolean {
  return URL.canParse(text) && ['smtp:', 'smtps:'].includes(new URL(text).protocol);
}

/** Returns an empty list when the file cannot be read, or one of its certificates cannot. */
function readCertificates(path: string): readonly string[] {
  try {
    const certificates = readFileSync(path, 'utf8').match(CERTIFICATE) ?? [];
    return certificates.map((pem) => new X509Certificate(pem).toString());
  } catch {
    return [];
  }
}
