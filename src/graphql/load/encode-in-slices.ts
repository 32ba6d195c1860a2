import { forEachInSlices, letOthersGoFirst, MAX_SLICE_MS } from '../../pacing/index.js';

/** A connection encodes shorter text by itself, in a fraction of a slice. */
const MAX_UNSLICED = 65_536;
const PIECE_LENGTH = 16_384;
const LOW_SURROGATE = /[\uDC00-\uDFFF]/;

/** A body as it is sent: a long one as its bytes, which are encoded in slices. */
export async function encodeInSlices(text: string): Promise<string | Buffer> {
  if (text.length <= MAX_UNSLICED) return text;
  const pieces: Buffer[] = [];
  const encode = (piece: string): void => {
    pieces.push(Buffer.from(piece));
  };
  await forEachInSlices(piecesOf(text), encode, { rest: letOthersGoFirst, itemsPerLook: 1 });
  await letOthersGoFirst(MAX_SLICE_MS);
  return Buffer.concat(pieces);
}

/** Never cut within a character of two code units. */
function* piecesOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = start + PIECE_LENGTH;
    const cut = LOW_SURROGATE.test(text.charAt(end)) ? end + 1 : end;
    yield text.slice(start, cut);
    start = cut;
  }
}
