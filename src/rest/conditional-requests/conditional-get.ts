import { etag } from 'etag';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';

const VARYING = 'Authorization, Accept-Encoding';

/** Marks a response that only the caller's client may store, and must revalidate before each use. */
export function requireRevalidation(reply: FastifyReply): FastifyReply {
  const vary = reply.getHeader('vary');
  return reply
    .header('cache-control', 'private, no-cache')
    .header('vary', vary === undefined ? VARYING : [vary, VARYING].flat().join(', '));
}

/**
 * Sends a representation with a weak entity tag computed from its text, or 304 if the header If-None-Match has that tag
 * (RFC 9110, section 13.1.2).
 *
 * `fresh` gets only that header: it treats `Cache-Control: no-cache`, which `fetch` adds to conditional requests, as a
 * request for the whole response.
 */
export function sendWithEntityTag(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const tag = etag(text, { weak: true });
  const { 'if-none-match': noneMatch } = request.headers;
  reply.header('etag', tag);
  if (noneMatch === undefined || !fresh({ 'if-none-match': noneMatch }, { etag: tag })) return reply.send(text);
  return reply.code(304).removeHeader('content-type').removeHeader('link').send();
}
