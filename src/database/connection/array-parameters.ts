import utils from 'pg/lib/utils.js';
import { forEachInSlices } from '../../async/pacing.js';

/** The driver serializes shorter arrays itself, in a fraction of a slice. */
const MAX_UNSLICED = 256;
const ITEMS_PER_PIECE = 32;

/** Serializes long arrays in slices, to the text to which the driver serializes them in one step. */
export async function writeLongArrays(values: readonly unknown[]): Promise<unknown[]> {
  const written: unknown[] = [];
  for (const value of values) written.push(isLongArray(value) ? await arrayLiteral(value) : value);
  return written;
}

export function isLongArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > MAX_UNSLICED;
}

async function arrayLiteral(items: readonly unknown[]): Promise<string> {
  const pieces: string[] = [];
  const writePiece = (piece: readonly unknown[]): void => {
    pieces.push(String(utils.prepareValue(piece)).slice(1, -1));
  };
  await forEachInSlices(piecesOf(items), writePiece, { itemsPerClockReading: 1 });
  return `{${pieces.join(',')}}`;
}

function* piecesOf(items: readonly unknown[]): Generator<readonly unknown[]> {
  for (let start = 0; start < items.length; start += ITEMS_PER_PIECE) yield items.slice(start, start + ITEMS_PER_PIECE);
}
