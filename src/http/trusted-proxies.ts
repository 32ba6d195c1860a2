import ipaddr from 'ipaddr.js';
import { parseForwardedAddress } from './parse-forwarded-address.js';

/** RFC 1918 and 4193, 3927 and 4291. */
const NAMED_RANGES = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
} as const satisfies Record<string, readonly string[]>;

type Range = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** How many bits of an IPv6 address say that an IPv4 address follows. */
const MAPPED_BITS = 96;

/**
 * Tells whether an address, as a connection has it or another proxy wrote it down, is that of a trusted proxy.
 *
 * Fastify's own list would not know a proxy again whose port was written down with it, and would take it for the client.
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
