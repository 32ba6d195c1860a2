import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Some proxies append the client's port (`192.0.2.1:4711`, `[2001:db8::1]:4711`), some only the brackets. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;

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
