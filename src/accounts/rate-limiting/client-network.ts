import ipaddr from 'ipaddr.js';

/** What one customer of a provider is given at the least (RFC 6177): within it addresses cost nothing. */
const IPV6_NETWORK_BITS = 64;

/**
 * What stands for a client wherever requests are counted: an IPv4 address, or the /64 network of an IPv6 address.
 *
 * @param address anything that is no IP address stands for itself
 */
export function toClientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(parsed.toString())}/${IPV6_NETWORK_BITS}`).toString();
}

/** `%eth0` says through which interface a link-local address is reached, not whose it is. */
function withoutZone(address: string): string {
  return address.split('%', 1)[0] ?? address;
}
