import { isIP } from 'node:net';
import { z } from 'zod';

/**
 * Trusted proxies in front of the service, by address or by number.
 *
 * A number is safe only when the service is reachable through the proxies alone. A client that connects directly could
 * otherwise claim any address.
 */
export type TrustedProxies =
  | { readonly kind: 'none' }
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'hops'; readonly count: number };

const HOP_COUNT = /^[1-9]\d?$/;
/** Named ranges, defined in the module of trusted proxies in the HTTP layer. */
const NAMED_RANGES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];
const RANGE = /^(.+)\/(\d{1,3})$/;
/** IPv4-mapped IPv6 address. A prefix of fewer than 96 bits would include addresses such as ::1. */
const MAPPED_ADDRESS = /^::ffff:[\d.]+$/i;
const MIN_MAPPED_BITS = 96;

export function trustedProxies(): z.ZodType<TrustedProxies, string | undefined> {
  const message =
    'must be addresses or ranges separated by commas (10.0.0.0/8, ::1, loopback), or the number of proxies';
  return z
    .string()
    .optional()
    .transform((text, context) => {
      const proxies = parseProxies(text);
      if (proxies !== null) return proxies;
      context.addIssue(message);
      return z.NEVER;
    });
}

function parseProxies(text: string | undefined): TrustedProxies | null {
  if (text === undefined) return { kind: 'none' };
  if (HOP_COUNT.test(text)) return { kind: 'hops', count: Number(text) };
  const addresses = text.split(',').map((part) => part.trim());
  return addresses.every(isRange) ? { kind: 'addresses', addresses } : null;
}

function isRange(text: string): boolean {
  if (NAMED_RANGES.includes(text) || isIP(text) !== 0) return true;
  const [, address = '', bits = ''] = RANGE.exec(text) ?? [];
  const maxBits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return Number(bits) >= (MAPPED_ADDRESS.test(address) ? MIN_MAPPED_BITS : 1) && Number(bits) <= maxBits;
}
