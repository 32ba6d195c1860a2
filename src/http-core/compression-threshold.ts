import type { IncomingHttpHeaders } from 'node:http';

/** Smaller responses fit into one packet. */
export const MIN_COMPRESSED_BYTES = 1_024;
/** Bytes of UTF-8 for one code unit of a text. */
const MAX_BYTES_PER_UNIT = 3;

/** Whether a response is not compressed: it is too small for that, or the client accepts no compression. */
export function isUncompressed(requestHeaders: IncomingHttpHeaders, body: string): boolean {
  return requestHeaders['accept-encoding'] === undefined || body.length * MAX_BYTES_PER_UNIT < MIN_COMPRESSED_BYTES;
}
