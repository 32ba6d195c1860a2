import type { Duplex } from 'node:stream';
import type { Pool, PoolClient } from 'pg';
import { forEachInSlices, letOthersGoFirst, MAX_SLICE_MS, nextTurn } from '../../pacing/index.js';

/** A chunk of this size is followed by more data. TLS delivers at most this many bytes per record. */
const LONG_CHUNK_BYTES = 16_384;

/** The rows of so much are parsed in a fraction of a slice. */
const PIECE_BYTES = 2_048;

/** No small operation reads so much at once: the result is that of a large one, which stands back for others. */
const LARGE_RESULT_BYTES = 131_072;

type Take = (bytes: Buffer) => void;

/**
 * Reads large results in slices. Otherwise Node reads 32 chunks in one event-loop iteration, and the driver parses
 * about 10,000 rows while all other requests wait.
 */
export function readInTurns(pool: Pool): void {
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

/** Hands what a stream gives to `parse`, in its order, and long chunks piece by piece. */
export function readStreamInTurns(stream: Duplex, parse: Take): void {
  let bytesInARow = 0;
  const parseInSlices = async (chunk: Buffer): Promise<void> => {
    const rest = bytesInARow > LARGE_RESULT_BYTES ? letOthersGoFirst : nextTurn;
    await forEachInSlices(piecesOf(chunk), parse, { rest, itemsPerLook: 1 });
    await rest(MAX_SLICE_MS);
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
