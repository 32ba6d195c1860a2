import { isIP } from 'node:net';
import { z } from 'zod';

/**
 * The proxies in front of the service: by their addresses, or by how many there are between it and its clients.
 *
 * A number is only as good as the network: whoever reaches the service around the proxies can then say anything.
 */
export type TrustedProxies =
  | { readonly kind: 'none' }
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'hops'; readonly count: number };

const HOPS = /^[1-9]\d?$/;
/** Names for ranges, which src/http-core/trusted-proxies.ts spells out. */
const NAMED_RANGES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];
const RANGE = /^(.+)\/(\d{1,3})$/;
/** IPv4 written as IPv6: fewer bits than these would be another range than was meant, ::1 in it. */
const MAPPED = /^::ffff:[\d.]+$/i;
const MAPPED_BITS = 96;

export function trustedProxies(): z.ZodType<TrustedProxies, string | undefined> {
  const message =
    'must be addresses or ranges separated by commas (10.0.0.0/8, ::1, loopback), or the number of proxies';
  return z
    .string()
    .optional()
    .transform((text, context) => {
      const proxies = read(text);
      if (proxies !== null) return proxies;
      context.addIssue(message);
      return z.NEVER;
    });
}

function read(text: string | undefined): TrustedProxies | null {
  if (text === undefined) return { kind: 'none' };
  if (HOPS.test(text)) return { kind: 'hops', count: Number(text) };
  const addresses = text.split(',').map((part) => part.trim());
  return addresses.every(isRange) ? { kind: 'addresses', addresses } : null;
}

function isRange(text: string): boolean {
  if (NAMED_RANGES.includes(text) || isIP(text) !== 0) return true;
  const [, address = '', bits = ''] = RANGE.exec(text) ?? [];
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return Number(bits) >= (MAPPED.test(address) ? MAPPED_BITS : 1) && Number(bits) <= most;
}
