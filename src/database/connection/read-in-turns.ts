import type { Duplex } from 'node:stream';
import type { Pool, PoolClient } from 'pg';

/** A chunk of this size is followed by more data. TLS delivers at most this many bytes per record. */
const LONG_CHUNK_BYTES = 16_384;

/**
 * Reads one chunk of a large result per event-loop iteration. Otherwise Node reads 32 chunks in one iteration, and the driver
 * parses about 10,000 rows while all other requests wait.
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
