import { FieldErrorCollector } from '../errors/index.js';

/** Writes the sort key of a list as the text parts of a cursor, and reads them back. */
export interface CursorCodec<Key> {
  encode(key: Key): readonly string[];
  /** @returns null for parts that no cursor of this list has */
  decode(parts: readonly string[]): Key | null;
}

export const INVALID_CURSOR = 'must be a cursor that this list has given';

const SEPARATOR = '|';

/** Cursors are opaque to clients, so that the sort key of a list can change. */
export function encodeCursor<Key>(codec: CursorCodec<Key>, key: Key): string {
  return Buffer.from(codec.encode(key).join(SEPARATOR)).toString('base64url');
}

/** @returns the sort key; null for a cursor of another list, and for no cursor */
export function decodeCursor<Key>(codec: CursorCodec<Key>, cursor: string | null): Key | null {
  if (cursor === null) return null;
  const key = codec.decode(Buffer.from(cursor, 'base64url').toString().split(SEPARATOR));
  // Node decodes base64 leniently. Only the text that Node itself encodes is accepted, so a key has one cursor.
  return key !== null && encodeCursor(codec, key) === cursor ? key : null;
}

/**
 * @returns the sort key; null for the beginning of the list
 * @throws InvalidInputError `INVALID_INPUT` for a cursor of another list (`after`)
 */
export function readCursor<Key>(cursor: string | null, codec: CursorCodec<Key>): Key | null {
  const key = decodeCursor(codec, cursor);
  new FieldErrorCollector().check('after', cursor === null || key !== null ? null : INVALID_CURSOR).throwIfAny();
  return key;
}
