import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { isUncompressed, MIN_COMPRESSED_BYTES } from '../http-core/index.js';

/** Larger responses are compressed outside the event loop. */
const MAX_SYNCHRONOUS_BYTES = 16_384;

/**
 * Compresses responses for clients that accept it (RFC 9110, section 12.5.3), streams included. Event streams are
 * excluded, since compression would delay their events.
 *
 * Request bodies are never decompressed: a small one could expand to any size.
 *
 * Compressed lengths tell an attacker nothing (BREACH): a page of another origin cannot send a caller's token, because
 * browsers add it to no request by themselves.
 *
 * To be called before the routes are added.
 */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip', 'identity'],
    threshold: MIN_COMPRESSED_BYTES,
    syncThreshold: MAX_SYNCHRONOUS_BYTES,
  });
  app.addHook('onRoute', (route) => {
    const hooks = [...[route.onSend ?? []].flat(), nameVaryingHeadersOnce, announceChunksToHead];
    route.onSend = hooks.map(unlessUncompressed);
  });
}

/**
 * Skips a hook for a text that is too small to be compressed, or whose client accepts no compression. The hook would
 * only find out that it has nothing to do.
 */
function unlessUncompressed(hook: onSendHookHandler): onSendHookHandler {
  return function callUnlessUncompressed(this: FastifyInstance, request, reply, payload, done) {
    if (typeof payload === 'string' && isUncompressed(request.headers, payload)) done(null, payload);
    else return hook.call(this, request, reply, payload, done);
  };
}

/** The plugin compares the names in `Vary` by case, and so may add one twice. */
function nameVaryingHeadersOnce(
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  if (reply.hasHeader('content-encoding')) {
    const names = String(reply.getHeader('vary') ?? '').split(', ');
    const unique = new Map(names.toReversed().map((name) => [name.toLowerCase(), name]));
    reply.header('vary', [...unique.values()].toReversed().join(', '));
  }
  done(null, payload);
}

/** HEAD gets the header that Node adds to the compressed stream of GET, but to no response without a body. */
function announceChunksToHead(
  { method, raw }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const isChunked = isStream(payload) && !reply.hasHeader('content-length') && raw.httpVersion !== '1.0';
  if (method === 'HEAD' && isChunked) reply.header('transfer-encoding', 'chunked');
  done(null, payload);
}

/** The streams of the plugin are no instances of Node's classes. */
function isStream(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'pipe' in payload;
}
