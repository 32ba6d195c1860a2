import ipaddr from 'ipaddr.js';

/** The smallest network that a provider assigns to a customer (RFC 6177); addresses within it cost nothing. */
const IPV6_NETWORK_BITS = 64;

/**
 * The network by which a client is counted: an IPv4 address, or the /64 network of an IPv6 address.
 *
 * @param address returned unchanged when it is no IP address
 */
export function toClientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(parsed.toString())}/${IPV6_NETWORK_BITS}`).toString();
}

/** Removes the zone (`%eth0`), which names an interface of this host. */
function withoutZone(address: string): string {
  return address.split('%', 1)[0] ?? address;
}
