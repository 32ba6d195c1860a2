import type { FastifyInstance } from 'fastify';
import type { PublicUrl } from '../http-core/index.js';
import { REVOKE_PATH, TOKEN_PATH } from '../rest/index.js';
import { READABLE_BY_EVERY_ORIGIN } from './cors.js';

export const JWKS_PATH = '/.well-known/jwks.json';
const METADATA_PATH = '/.well-known/oauth-authorization-server';
/** Shorter than the minute for which a new key is published before it signs, so that every verifier has it by then. */
const JWKS_CACHE = 'public, max-age=30';
const METADATA_CACHE = 'public, max-age=3600';

export interface WellKnownOptions {
  /** Returns the public keys that verify access tokens, as a JWK Set (RFC 7517). */
  readonly jwks: () => Promise<object> | object;
  /** The issuer of the tokens. */
  readonly publicUrl: PublicUrl;
}

/** Serves the keys that verify tokens, and the metadata by which clients obtain, refresh and revoke them. */
export function registerWellKnown(app: FastifyInstance, { jwks, publicUrl }: WellKnownOptions): void {
  const metadata = authorizationServer(publicUrl);
  const route = { method: ['GET', 'HEAD'], config: READABLE_BY_EVERY_ORIGIN };
  app.route({
    ...route,
    url: JWKS_PATH,
    handler: async (_, reply) => reply.header('cache-control', JWKS_CACHE).send(await jwks()),
  });
  for (const url of metadataPaths(publicUrl)) {
    app.route({ ...route, url, handler: (_, reply) => reply.header('cache-control', METADATA_CACHE).send(metadata) });
  }
}

/** Both places where clients look for the metadata of an issuer with a path: RFC 8414, sections 3.1 and 5. */
function metadataPaths({ basePath }: PublicUrl): ReadonlySet<string> {
  return new Set([METADATA_PATH, METADATA_PATH + basePath]);
}

/**
 * Authorization server metadata (RFC 8414). The service has no registered clients, no consent and no redirects.
 * Therefore it has no authorization endpoint, no response type and no client authentication.
 */
function authorizationServer(publicUrl: PublicUrl): object {
  return {
    issuer: publicUrl.href,
    jwks_uri: publicUrl.urlOf(JWKS_PATH),
    token_endpoint: publicUrl.urlOf(TOKEN_PATH),
    token_endpoint_auth_methods_supported: ['none'],
    grant_types_supported: ['password', 'refresh_token'],
    // Required by RFC 8414, section 2, even when empty.
    response_types_supported: [],
    revocation_endpoint: publicUrl.urlOf(REVOKE_PATH),
    revocation_endpoint_auth_methods_supported: ['none'],
  };
}
