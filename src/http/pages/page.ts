import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** A whole page, ready to be sent by whoever owns the path. */
export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Directives = Readonly<Record<string, readonly string[]>>;

/** Nothing is allowed that a page does not name itself, and nobody may frame or rebase it. */
const CLOSED: Directives = {
  'default-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

/** The headers of every page: a closed policy with the given openings, and no guessing, referring or storing unless asked for. */
export function pageHeaders(openings: Directives, cacheControl: string): Page['headers'] {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf({ ...CLOSED, ...openings }),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': cacheControl,
  };
}

/** The source expression that allows exactly this inline script or style (CSP Level 3, section 2.3.1). */
export function cspHash(inline: string): string {
  return `'sha256-${createHash('sha256').update(inline).digest('base64')}'`;
}

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply.headers(page.headers).send(page.html);
}

function policyOf(directives: Directives): string {
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
}
