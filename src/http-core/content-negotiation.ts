import type { IncomingHttpHeaders } from 'node:http';
import accepts from 'accepts';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

const MAX_CACHED_HEADERS = 200;
/** Longer headers are negotiated anew, so that those of an attacker take no memory. */
const MAX_CACHED_LENGTH = 256;

/** Smaller responses fit into one packet. */
export const MIN_COMPRESSED_BYTES = 1_024;
/** Bytes of UTF-8 for one code unit of a text. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Creates a function that returns the media type that a request prefers; false when it accepts none of them.
 *
 * The result is cached by the header Accept, of which clients send few different values.
 *
 * @param offered the first is for clients that accept any type
 */
export function negotiateOnce(
  offered: readonly string[],
): (request: Pick<FastifyRequest, 'headers' | 'raw'>) => string | false {
  const types = [...offered];
  const cached = new LRUCache<string, string | false>({ max: MAX_CACHED_HEADERS });
  return (request) => {
    // An empty header means the same as none.
    const header = request.headers.accept ?? '';
    const known = cached.get(header);
    if (known !== undefined) return known;
    const [best = false] = [accepts(request.raw).type(types)].flat();
    if (header.length <= MAX_CACHED_LENGTH) cached.set(header, best);
    return best;
  };
}

/** Whether a response is not compressed: it is too small for that, or the client accepts no compression. */
export function isUncompressed(requestHeaders: IncomingHttpHeaders, body: string): boolean {
  return requestHeaders['accept-encoding'] === undefined || body.length * MAX_BYTES_PER_UNIT < MIN_COMPRESSED_BYTES;
}
