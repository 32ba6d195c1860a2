import type { Duplex } from 'node:stream';
import type { Pool, PoolClient } from 'pg';
import { forEachInSlices, MAX_SLICE_MS, nextIteration, yieldToForeground } from '../../async/pacing.js';

/** A holder that releases its client after an error has done so by then. */
const RELEASE_DELAY_MS = 100;

/** A chunk of this size is followed by more data. TLS delivers at most this many bytes per record. */
const LONG_CHUNK_BYTES = 16_384;

/** The rows in a piece of this size are parsed in a fraction of a slice. */
const PIECE_BYTES = 4_096;

/** No small operation reads more in one result. So a larger result is that of a large operation, which is paced. */
const LARGE_RESULT_BYTES = 262_144;

type Take = (bytes: Buffer) => void;

/** Adds to the driver's pool what it lacks. */
export function addPoolHooks(pool: Pool): void {
  releaseBrokenClients(pool);
  readInTurns(pool);
}

/**
 * Releases clients with a broken connection when their holder does not.
 *
 * MikroORM 7.2 (Kysely 0.29) never releases the client of a transaction whose BEGIN, COMMIT or ROLLBACK fails, as each
 * does on a broken connection. A few restarts of the database would exhaust the pool. Remove when fixed.
 */
function releaseBrokenClients(pool: Pool): void {
  const held = new Set<PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () =>
      setTimeout(() => {
        if (held.has(client)) client.release(true);
      }, RELEASE_DELAY_MS),
    );
  });
}

/**
 * Reads large results in slices. Otherwise Node reads 32 chunks in one event-loop iteration, and the driver parses
 * about 10,000 rows while all other requests wait.
 */
function readInTurns(pool: Pool): void {
  pool.on('connect', (client) => {
    const { stream } = (client as PoolClient & { readonly connection: { readonly stream: Duplex } }).connection;
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- a stream of bytes hands over buffers
    const parsers = stream.listeners('data') as Take[];
    const parse: Take = (bytes) => {
      for (const parser of parsers) parser.call(stream, bytes);
    };
    stream.removeAllListeners('data');
    readStreamInTurns(stream, parse);
  });
}

/** Passes the data of a stream to `parse` in order, long chunks in pieces. */
export function readStreamInTurns(stream: Duplex, parse: Take): void {
  let bytesInARow = 0;
  const parseInSlices = async (chunk: Buffer): Promise<void> => {
    const pause = bytesInARow > LARGE_RESULT_BYTES ? yieldToForeground : nextIteration;
    await forEachInSlices(piecesOf(chunk), parse, { pause, itemsPerClockReading: 1 });
    await pause(MAX_SLICE_MS);
    stream.resume();
  };
  stream.on('data', (chunk: Buffer) => {
    if (chunk.length < LONG_CHUNK_BYTES) {
      bytesInARow = 0;
      parse(chunk);
      return;
    }
    bytesInARow += chunk.length;
    stream.pause();
    void parseInSlices(chunk);
  });
}

function* piecesOf(chunk: Buffer): Generator<Buffer> {
  for (let start = 0; start < chunk.length; start += PIECE_BYTES) yield chunk.subarray(start, start + PIECE_BYTES);
}
