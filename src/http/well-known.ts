import type { FastifyInstance } from 'fastify';
import { REVOKE_PATH, TOKEN_PATH } from '../rest/index.js';

export const JWKS_PATH = '/.well-known/jwks.json';
const METADATA_PATH = '/.well-known/oauth-authorization-server';
/** Less than the minute for which a new key is published before it signs: whoever verifies tokens knows it by then. */
const JWKS_CACHE = 'public, max-age=30';
const METADATA_CACHE = 'public, max-age=3600';

export interface WellKnownOptions {
  /** The public keys that tokens can be verified with, as RFC 7517 has them. */
  readonly jwks: () => Promise<object> | object;
  /** The issuer of the tokens: where the service is reached, without a slash at its end. */
  readonly publicUrl: string;
}

/** Publishes what strangers need to verify tokens, and what clients need to get, renew and end them. */
export function registerWellKnown(app: FastifyInstance, { jwks, publicUrl }: WellKnownOptions): void {
  const metadata = authorizationServer(publicUrl);
  app.get(JWKS_PATH, { exposeHeadRoute: true }, async (_, reply) =>
    reply.header('cache-control', JWKS_CACHE).send(await jwks()),
  );
  app.get(METADATA_PATH, { exposeHeadRoute: true }, (_, reply) =>
    reply.header('cache-control', METADATA_CACHE).send(metadata),
  );
}

/**
 * What of RFC 8414 is true here. People log in to this service and to no other: there are no registered clients, no
 * consent and no redirects, so no authorization endpoint, no response types, and nothing to authenticate a client with.
 */
function authorizationServer(publicUrl: string): object {
  return {
    issuer: publicUrl,
    jwks_uri: publicUrl + JWKS_PATH,
    token_endpoint: publicUrl + TOKEN_PATH,
    token_endpoint_auth_methods_supported: ['none'],
    grant_types_supported: ['password', 'refresh_token'],
    // Required by RFC 8414, section 2, even where there are none.
    response_types_supported: [],
    revocation_endpoint: publicUrl + REVOKE_PATH,
    revocation_endpoint_auth_methods_supported: ['none'],
  };
}
