import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

export interface ClientInfo {
  /** The IP address, without port and zone. */
  readonly address: string;
  /** Null without the header User-Agent. */
  readonly userAgent: string | null;
}

/** The metadata of a request that operations use, whatever its path. */
export interface RequestMetadata {
  readonly requestId: string;
  readonly client: ClientInfo;
  /** Null without the header Idempotency-Key. */
  readonly idempotencyKey: string | null;
}

/** Used only when the connection was closed before the address was read. */
const UNKNOWN_ADDRESS = '0.0.0.0';

/** Some proxies append the client's port (`192.0.2.1:4711`, `[2001:db8::1]:4711`), some only the brackets. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;

/** The id is logged. Excludes API keys and refresh tokens by their prefix, and access tokens by their length. */
const REQUEST_ID = /^(?!cv[nr]_)[\w.-]{1,64}$/;

/** Returns the client's X-Request-Id if it is safe to log, or else a random id. */
export function newRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const { 'x-request-id': header } = headers;
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();
}

/** A request whose client is resolved. */
export interface AddressedRequest extends Pick<FastifyRequest, 'socket' | 'headers'> {
  /** Addresses of the connection and of X-Forwarded-For, as far as proxies are trusted; undefined when none is. */
  readonly ips?: readonly string[] | undefined;
}

/** Has the socket keep its address after it is closed, for a later `resolveClientInfo`: Node keeps what was read. */
export function keepAddress({ socket }: Pick<FastifyRequest, 'socket'>): string | undefined {
  return socket.remoteAddress;
}

/**
 * Returns the client of a request. X-Forwarded-For counts only as far as the server trusts proxies.
 *
 * When the last entry that counts is no IP address, the address of the outermost known proxy is used.
 */
export function resolveClientInfo(request: AddressedRequest): ClientInfo {
  const chain: readonly (string | undefined)[] = request.ips ?? [request.socket.remoteAddress];
  const addresses = chain.flatMap((entry) => (entry === undefined ? [] : (parseForwardedAddress(entry) ?? [])));
  return { address: addresses.at(-1) ?? UNKNOWN_ADDRESS, userAgent: request.headers['user-agent'] ?? null };
}

/**
 * Normalizes the IP address in an entry of X-Forwarded-For, or of a connection, for counting, storing and logging.
 *
 * Removes the port and the zone, whose values are unbounded, and converts an IPv4-mapped IPv6 address to IPv4.
 *
 * @returns null for anything else: `unknown`, a name, or a form that only some parsers accept (`127.1`, `010.0.0.1`)
 */
export function parseForwardedAddress(entry: string): string | null {
  const [, inBrackets, beforePort] = WITH_PORT.exec(entry) ?? [];
  const [address = ''] = (inBrackets ?? beforePort ?? entry).split('%', 1);
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}

/** The IETF draft defines a quoted string (draft-ietf-httpapi-idempotency-key-header); many clients omit the quotes. */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const value = headers['idempotency-key'];
  return value === undefined ? null : value.toString().replace(/^"(.*)"$/, '$1');
}

/**
 * Returns every Authorization header. Node keeps only the first of repeated headers in `headers`; authentication must
 * see all of them and reject more than one.
 */
export function authorizationOf(request: Pick<FastifyRequest, 'raw'>): readonly string[] {
  return headerValues(request.raw, 'authorization');
}

/**
 * Returns the value of each header with this name, in order. Reason: `headersDistinct` costs a copy of all headers.
 *
 * @param name in lower case
 */
export function headerValues({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): readonly string[] {
  const values: string[] = [];
  // Names and values alternate.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index];
    if (sent?.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}
