import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { HttpError } from './http-error.js';
import { headerValues } from './request-metadata.js';

/** RFC 3986, section 3.2, without user information (RFC 9110, section 4.2.4). An IPv4 address is a name too. */
const AUTHORITY = /^(?:\[(?<ipv6>[\da-f:.]+)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::(?<port>\d*))?$/i;
const MAX_PORT = 65_535;
/** RFC 9112, section 3.2.2: clients send it to proxies, and servers must accept it too. */
const ABSOLUTE_FORM = /^https?:\/\/(?<authority>[^/?#]*)(?<path>[^?#]*)(?<rest>.*)$/i;
/** RFC 9112, section 3.2.1: ASCII, without a fragment. Clients send `{` unescaped, although RFC 3986 forbids it. */
const ORIGIN_FORM = /^\/[\x21\x22\x24-\x7e]*$/;
/** Characters that stand for others in a query. */
const ENCODED = /[%+]/;

type QueryParameter = readonly [name: string, value: string];

/**
 * Returns the target of a request in origin form, as Fastify routes it.
 *
 * The authority of a target in absolute form is dropped, because the service has one host. A malformed target is
 * returned unchanged; `requireValidTarget` rejects it.
 */
export function toOriginForm({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const { authority, path, rest } = ABSOLUTE_FORM.exec(url)?.groups ?? {};
  if (authority === undefined || !isAuthority(authority)) return url;
  return `${path === '' ? '/' : (path ?? '')}${rest ?? ''}`;
}

/**
 * Requires one valid Host header, which HTTP/1.0 may leave out (RFC 9112, section 3.2), and a well-formed target.
 *
 * Reason: code that reads the URL later must never get a Host or a target that two parsers read differently.
 *
 * @param request with its target in origin form
 * @throws HttpError `MALFORMED_REQUEST`
 */
export function requireValidTarget(request: IncomingMessage): void {
  const [host, ...more] = headerValues(request, 'host');
  if (more.length > 0) throw malformed('The request must have one Host header.');
  if (host === undefined && request.httpVersion !== '1.0') throw malformed('The request must have a Host header.');
  if (host !== undefined && !isAuthority(host))
    throw malformed('Host must be a name or an address and, as wished, a port.');
  if (!isTarget(request)) throw malformed('The target must be a path of ASCII characters, without a fragment.');
}

/** Whether `requireValidTarget` accepts the request. */
export function isValidTarget(request: IncomingMessage): boolean {
  try {
    requireValidTarget(request);
    return true;
  } catch {
    return false;
  }
}

/** Returns the path of a target in origin form, without its query. */
export function requestPath(url: string): string {
  return url.split('?', 1)[0] ?? '/';
}

/**
 * Parses the query of a URL strictly as percent-encoded UTF-8.
 *
 * Reason: parsers interpret an invalid escape differently, so it is rejected.
 *
 * @returns every parameter in order, repeated ones included
 * @throws HttpError `MALFORMED_REQUEST`
 */
export function parseQueryString(url: string): readonly QueryParameter[] {
  const begin = url.indexOf('?');
  return begin === -1
    ? []
    : url
        .slice(begin + 1)
        .split('&')
        .filter((piece) => piece !== '')
        .map(parseParameter);
}

/** Returns the names that occur more than once. */
export function repeatedNames(parameters: readonly QueryParameter[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name] of parameters) (seen.has(name) ? repeated : seen).add(name);
  return repeated;
}

/** The last text that `isAuthority` accepted. Nearly all requests name the same host. */
let lastAuthority: string | null = null;

function isAuthority(text: string): boolean {
  if (text === lastAuthority) return true;
  const match = AUTHORITY.exec(text);
  if (match === null) return false;
  const { ipv6, port } = match.groups ?? {};
  const isValid = (ipv6 === undefined || isIPv6(ipv6)) && Number(port ?? '') <= MAX_PORT;
  if (isValid) lastAuthority = text;
  return isValid;
}

function isTarget({ method, url = '' }: IncomingMessage): boolean {
  return ORIGIN_FORM.test(url) || (method === 'OPTIONS' && url === '*');
}

function parseParameter(piece: string): QueryParameter {
  const separator = piece.indexOf('=');
  if (separator === -1) return [decode(piece), ''];
  return [decode(piece.slice(0, separator)), decode(piece.slice(separator + 1))];
}

function decode(text: string): string {
  if (!ENCODED.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw malformed('The query of the URL must be percent-encoded UTF-8.');
  }
}

function malformed(message: string): HttpError {
  return new HttpError('MALFORMED_REQUEST', message);
}
