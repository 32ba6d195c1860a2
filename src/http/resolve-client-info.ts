import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '../graphql/context/request-context.js';
import { parseForwardedAddress } from './parse-forwarded-address.js';

/** Only reached when the connection is gone before anybody asks. */
const NO_ADDRESS = '0.0.0.0';

/**
 * Who sends a request. X-Forwarded-For counts only as far as the server was told to trust proxies. Where what counts is no
 * address, the one before it does: that of the outermost proxy that is known.
 */
export function resolveClientInfo(request: FastifyRequest): RequestContext['client'] {
  const chain: readonly (string | undefined)[] = request.ips ?? [request.socket.remoteAddress];
  const addresses = chain.flatMap((entry) => (entry === undefined ? [] : (parseForwardedAddress(entry) ?? [])));
  return { address: addresses.at(-1) ?? NO_ADDRESS, userAgent: request.headers['user-agent'] ?? null };
}
