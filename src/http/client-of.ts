import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { RequestContext } from '../graphql/context.js';

/** Only reached when the connection is gone before anybody asks. */
const NO_ADDRESS = '0.0.0.0';

/**
 * Who sends a request. X-Forwarded-For counts only as far as the server was told to trust proxies; what stands in it
 * and is no address is passed over for the address of the connection.
 */
export function clientOf(request: FastifyRequest): RequestContext['client'] {
  const address = [request.ip, request.socket.remoteAddress].find((each) => each !== undefined && isIP(each) !== 0) ?? NO_ADDRESS;
  // An IPv4 client of a socket that takes both is the same client.
  return { address: ipaddr.process(address).toString(), userAgent: request.headers['user-agent'] ?? null };
}
