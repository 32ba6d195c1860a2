import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { PublicUrl } from '../../http-core/index.js';

/** A rendered page with its headers. */
export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where a page leads: it refers to the service by paths of the public URL only. */
export interface PageContext {
  readonly publicUrl: PublicUrl;
  /** The path of the service that operations are sent to. */
  readonly graphqlPath: string;
}

type Directives = Readonly<Record<string, readonly string[]>>;

/** Content security policy of every page. A page adds the sources that it needs. */
const CLOSED_POLICY: Directives = {
  'default-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

/**
 * Returns the headers of a page.
 *
 * @param sources directives that are added to the closed content security policy
 */
export function pageHeaders(sources: Directives, cacheControl: string): Page['headers'] {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf({ ...CLOSED_POLICY, ...sources }),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': cacheControl,
  };
}

/** Returns the source expression that allows only this inline script or style (CSP Level 3, section 2.3.1). */
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
