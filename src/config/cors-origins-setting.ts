import { z } from 'zod';

/** Origins whose scripts may call the service, or `*` for every origin. */
export type CorsOrigins = readonly string[] | '*';

/** Parses origins separated by commas, or `*`; null when unset. */
export function corsOrigins(): z.ZodType<CorsOrigins | null, string | undefined> {
  const message =
    'must be origins separated by commas (https://app.example.org, without a path), or * for every origin';
  return z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined) return null;
      if (text === '*') return '*';
      const origins = text.split(',').map((part) => part.trim());
      if (origins.every(isOrigin)) return origins;
      context.addIssue(message);
      return z.NEVER;
    });
}

/** True for an origin as browsers send it (RFC 6454, section 6.1): lower case, and without a default port. */
function isOrigin(text: string): boolean {
  if (text.includes('*')) return false;
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol) && new URL(text).origin === text;
}
