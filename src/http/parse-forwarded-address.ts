import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Some proxies write down from which port a client came (`192.0.2.1:4711`, `[2001:db8::1]:4711`), some only the brackets. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * The IP address in an entry of X-Forwarded-For, or of a connection, in the one spelling by which it is counted, stored and logged:
 * without port and zone, which nothing bounds, and as IPv4 where an IPv6 address stands for one.
 *
 * @returns null for anything else, such as `unknown`, a name, or what only some would read as an address (`127.1`, `010.0.0.1`)
 */
export function parseForwardedAddress(entry: string): string | null {
  const [, inBrackets, beforePort] = WITH_PORT.exec(entry) ?? [];
  const [address = ''] = (inBrackets ?? beforePort ?? entry).split('%', 1);
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}
