import type { Duplex } from 'node:stream';
import type { Pool, PoolClient } from 'pg';

/** What is at least so long is followed by more. TLS hands over no more at once. */
const LONG_CHUNK_BYTES = 16_384;

/**
 * Reads large results a chunk in each turn of the event loop. Left to itself Node reads 32 chunks at once, and the
 * driver parses some ten thousand rows while everybody else waits.
 */
export function readInTurns(pool: Pool): void {
  pool.on('connect', (client) => {
    const { stream } = (client as PoolClient & { readonly connection: { readonly stream: Duplex } }).connection;
    stream.on('data', (chunk: Buffer) => {
      if (chunk.length < LONG_CHUNK_BYTES) return;
      stream.pause();
      setImmediate(() => stream.resume());
    });
  });
}
