import { FieldErrorCollector } from '../errors/index.js';
import { decodeCursor, INVALID_CURSOR, type CursorCodec } from './cursor.js';

/** The largest number of entries in a page. */
export const MAX_PAGE_SIZE = 1_000;

/** The number of entries in a page whose size the caller leaves open. */
export const DEFAULT_PAGE_SIZE = 100;

/** The page that a caller asks for, in the terms of the GraphQL Cursor Connections Specification. */
export interface PageRequest {
  /** Size of a page at the beginning of the list, or after `after`: 1 to 1,000. Null or absent for 100. */
  readonly first?: number | null | undefined;
  /** The cursor of the entry before the page; null or absent for the beginning of the list. */
  readonly after?: string | null | undefined;
  /** Size of a page at the end of the list, or before `before`: 1 to 1,000. Null or absent to read forward. */
  readonly last?: number | null | undefined;
  /** The cursor of the entry after the page; null or absent for the end of the list. */
  readonly before?: string | null | undefined;
  /** True to read the length of the list only: the page is empty. */
  readonly totalOnly?: boolean | undefined;
}

/** A validated page request. */
export interface PageQuery<Key> {
  readonly size: number;
  /** Whether the page is the end of its range, and not the beginning. */
  readonly backward: boolean;
  /** The sort key of the entry before the range; null for the beginning of the list. */
  readonly after: Key | null;
  /** The sort key of the entry after the range; null for the end of the list. */
  readonly before: Key | null;
  readonly totalOnly: boolean;
}

/**
 * Validates a page request and decodes its cursors.
 *
 * @throws InvalidInputError `INVALID_INPUT` for a size out of range (`first`, `last`), for two sizes (`last`), or for a
 *   cursor of another list (`after`, `before`)
 */
export function parsePageRequest<Key>(request: PageRequest, codec: CursorCodec<Key>): PageQuery<Key> {
  const { first = null, last = null, after = null, before = null } = request;
  const isAmbiguous = first !== null && last !== null;
  new FieldErrorCollector()
    .check('first', validateSize(first))
    .check('last', isAmbiguous ? 'must not be given together with first' : validateSize(last))
    .check('after', validateCursor(after, codec))
    .check('before', validateCursor(before, codec))
    .throwIfAny();
  return {
    size: last ?? first ?? DEFAULT_PAGE_SIZE,
    backward: last !== null,
    after: decodeCursor(codec, after),
    before: decodeCursor(codec, before),
    totalOnly: request.totalOnly ?? false,
  };
}

function validateSize(size: number | null): string | null {
  const isValid = size === null || (Number.isInteger(size) && size >= 1 && size <= MAX_PAGE_SIZE);
  return isValid ? null : `must be from 1 to ${MAX_PAGE_SIZE.toLocaleString('en')}`;
}

function validateCursor<Key>(cursor: string | null, codec: CursorCodec<Key>): string | null {
  return cursor === null || decodeCursor(codec, cursor) !== null ? null : INVALID_CURSOR;
}

/** The query of the one entry of a numbered list that has this number. */
export function pageOfNumber(number: number): PageQuery<number> {
  return { size: 1, backward: false, after: number - 1, before: number + 1, totalOnly: false };
}

/** Reads the rows of a page; reads none when only the length of the list is wanted. */
export async function readRows<Row>(
  { totalOnly }: Pick<PageQuery<unknown>, 'totalOnly'>,
  read: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  return totalOnly ? [] : read();
}
