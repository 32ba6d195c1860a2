import ipaddr from 'ipaddr.js';
import { parseForwardedAddress } from './request-metadata.js';

/**
 * The predicate for Fastify's `trustProxy`, or false to trust no proxy.
 *
 * Called with the address of each proxy of a request and its distance from the server, which begins with 0.
 */
export type TrustProxy = false | ((address: string | undefined, hop: number) => boolean);

/** RFC 1918, RFC 3927, RFC 4193 and RFC 4291. */
const NAMED_RANGES = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
} as const satisfies Record<string, readonly string[]>;

type Range = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** Length of the prefix of an IPv4-mapped IPv6 address, in bits. */
const MAPPED_BITS = 96;

/**
 * Creates a predicate for the addresses of connections and of X-Forwarded-For: true for those of trusted proxies.
 *
 * Reason: Fastify's own list does not recognize a proxy whose port was forwarded, and would take it for the client.
 *
 * @param trusted addresses, ranges (`10.0.0.0/8`), `loopback`, `linklocal` and `uniquelocal`
 * @throws Error for anything else
 */
export function createTrustedProxyCheck(trusted: readonly string[]): (entry: string | undefined) => boolean {
  const ranges = trusted.flatMap(namesOf).map(rangeOf);
  return (entry) => {
    const address = entry === undefined ? null : parseForwardedAddress(entry);
    return address !== null && ipaddr.subnetMatch(ipaddr.parse(address), { trusted: ranges }, '') === 'trusted';
  };
}

function namesOf(text: string): readonly string[] {
  return isNamed(text) ? NAMED_RANGES[text] : [text];
}

function isNamed(text: string): text is keyof typeof NAMED_RANGES {
  return Object.hasOwn(NAMED_RANGES, text);
}

function rangeOf(text: string): Range {
  const [address, bits]: Range = text.includes('/') ? ipaddr.parseCIDR(text) : single(ipaddr.parse(text));
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_BITS)
    return [address.toIPv4Address(), bits - MAPPED_BITS];
  return [address, bits];
}

function single(address: ipaddr.IPv4 | ipaddr.IPv6): Range {
  return [address, address.toByteArray().length * 8];
}
