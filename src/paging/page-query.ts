import { FieldErrorCollector } from '../errors/index.js';
import { decodeCursor, INVALID_CURSOR, type CursorCodec } from './cursor.js';

/** The largest number of entries in a page. */
export const MAX_PAGE_SIZE = 1_000;

/** The page that a caller asks for, in the terms of the GraphQL Cursor Connections Specification. */
export interface PageRequest {
  /** 1 to 1,000. */
  readonly first: number;
  /** The cursor of the last entry that the caller has; null or absent for the beginning. */
  readonly after?: string | null | undefined;
  /** True to read the length of the list only: the page is empty. */
  readonly totalOnly?: boolean | undefined;
}

/** A validated page request. */
export interface PageQuery<Key> {
  readonly first: number;
  /** The sort key of the entry before the page; null for the beginning. */
  readonly after: Key | null;
  readonly totalOnly: boolean;
}

/**
 * Validates a page request and decodes its cursor.
 *
 * @throws InvalidInputError `INVALID_INPUT` for a size out of range (`first`) or a cursor of another list (`after`)
 */
export function parsePageRequest<Key>(request: PageRequest, codec: CursorCodec<Key>): PageQuery<Key> {
  const cursor = request.after ?? null;
  const after = decodeCursor(codec, cursor);
  const isSizeValid = Number.isInteger(request.first) && request.first >= 1 && request.first <= MAX_PAGE_SIZE;
  new FieldErrorCollector()
    .check('first', isSizeValid ? null : `must be from 1 to ${MAX_PAGE_SIZE.toLocaleString('en')}`)
    .check('after', cursor === null || after !== null ? null : INVALID_CURSOR)
    .throwIfAny();
  return { first: request.first, after, totalOnly: request.totalOnly ?? false };
}

/** Reads the rows of a page; reads none when only the length of the list is wanted. */
export async function readRows<Row>(
  { totalOnly }: Pick<PageQuery<unknown>, 'totalOnly'>,
  read: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  return totalOnly ? [] : read();
}
