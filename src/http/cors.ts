import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Origins whose scripts may call the service, or `*` for every origin. */
export type CorsOrigins = readonly string[] | '*';

/** The longest time for which Chromium keeps a preflight. */
const PREFLIGHT_MAX_AGE_SECONDS = 7_200;
/** Headers that clients read, besides those that the Fetch standard exposes always. */
const EXPOSED_HEADERS = [
  'ETag',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/** Route configuration of a public document, which scripts of every origin may read. */
export const READABLE_BY_EVERY_ORIGIN = { cors: { origin: '*', methods: 'GET, HEAD' } } as const;

/**
 * Adds the headers by which browsers let scripts of other origins call the service (Fetch standard, section 3.3).
 *
 * Errors carry them too. A preflight needs no token. Credentials are never allowed: the service reads no cookies, and
 * scripts send their token themselves.
 *
 * To be called before any hook that may reject a request.
 */
export async function registerCors(app: FastifyInstance, origins: CorsOrigins): Promise<void> {
  const options: FastifyCorsOptions = {
    origin: allowedOrigin(origins),
    methods: 'GET, HEAD, POST, PATCH',
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
    // The OPTIONS route of each path responds, with `Allow`. An OPTIONS request need not be a preflight.
    preflightContinue: true,
    strictPreflight: false,
  };
  await app.register(cors, options);
}

/** False for an empty list: then no header is set, except for public documents. */
function allowedOrigin(origins: CorsOrigins): '*' | string[] | false {
  if (origins === '*') return '*';
  return origins.length > 0 && [...origins];
}
