import { FieldErrorCollector } from '../errors/index.js';

/** Lists give no more at once, whatever is asked for. */
export const MAX_PAGE_SIZE = 1_000;

/** Which part of a list is asked for, in the words of the GraphQL Cursor Connections Specification. */
export interface PageRequest {
  /** 1 to 1,000. */
  readonly first: number;
  /** The cursor of the last entry that the caller has; null or absent for the beginning. */
  readonly after?: string | null | undefined;
  /** Only the length of the list is wanted: no entry is read, and the page is empty. */
  readonly totalOnly?: boolean | undefined;
}

export interface Edge<Node> {
  readonly cursor: string;
  readonly node: Node;
}

export interface PageInfo {
  readonly hasNextPage: boolean;
  /** True for every page but the first: a cursor is only ever given out for an entry that exists. */
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** One page of a list, with the length of the whole list. */
export interface ConnectionPage<Node> {
  readonly totalCount: number;
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge<Node>[];
  readonly pageInfo: PageInfo;
}

/**
 * What a list is ordered by, as text: how an entry's place is written into a cursor and read back.
 *
 * `read` gives null for parts that no cursor of this list has.
 */
export interface CursorCodec<Place> {
  write(place: Place): readonly string[];
  read(parts: readonly string[]): Place | null;
}

export interface PageQuery<Place> {
  readonly first: number;
  /** Null for the beginning. */
  readonly after: Place | null;
  readonly totalOnly: boolean;
}

/** @throws InvalidInputError `INVALID_INPUT` for a size out of range (`first`) or a cursor of another list (`after`). */
export function parsePageRequest<Place>(request: PageRequest, form: CursorCodec<Place>): PageQuery<Place> {
  const cursor = request.after ?? null;
  const after = placeOf(cursor, form);
  const sizeIsRight = Number.isInteger(request.first) && request.first >= 1 && request.first <= MAX_PAGE_SIZE;
  new FieldErrorCollector()
    .check('first', sizeIsRight ? null : `must be from 1 to ${MAX_PAGE_SIZE.toLocaleString('en')}`)
    .check('after', cursor === null || after !== null ? null : NO_CURSOR)
    .throwIfAny();
  return { first: request.first, after, totalOnly: request.totalOnly ?? false };
}

/** The place of a cursor; null for the beginning. @throws InvalidInputError `INVALID_INPUT` for a cursor of another list (`after`). */
export function readCursor<Place>(cursor: string | null, form: CursorCodec<Place>): Place | null {
  const place = placeOf(cursor, form);
  new FieldErrorCollector().check('after', cursor === null || place !== null ? null : NO_CURSOR).throwIfAny();
  return place;
}

/** Reads the rows of a page, unless nothing but the length of the list is wanted. */
export async function readRows<Row>(
  { totalOnly }: Pick<PageQuery<unknown>, 'totalOnly'>,
  read: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  return totalOnly ? [] : read();
}

/** @param found the rows that follow `page.after`, in order, one more than the page holds where there are more */
export function toConnectionPage<Node, Place>(
  page: PageQuery<Place>,
  found: readonly Node[],
  totalCount: number,
  cursorOf: (node: Node) => string,
): ConnectionPage<Node> {
  const nodes = found.slice(0, page.first);
  const cursorAt = (index: number): string | null => {
    const node = nodes.at(index);
    return node === undefined ? null : cursorOf(node);
  };
  return {
    totalCount,
    nodes,
    // Most readers take only the nodes: the cursors of a large page are work that is done when they are asked for.
    get edges() {
      return nodes.map((node) => ({ cursor: cursorOf(node), node }));
    },
    get pageInfo() {
      return {
        hasNextPage: found.length > page.first,
        hasPreviousPage: page.after !== null,
        startCursor: cursorAt(0),
        endCursor: cursorAt(-1),
      };
    },
  };
}

/** Opaque to clients, so that what a list is ordered by can change. */
export function encodeCursor<Place>(form: CursorCodec<Place>, place: Place): string {
  return Buffer.from(form.write(place).join(SEPARATOR)).toString('base64url');
}

const SEPARATOR = '|';
const NO_CURSOR = 'must be a cursor that this list has given';

function placeOf<Place>(cursor: string | null, form: CursorCodec<Place>): Place | null {
  if (cursor === null) return null;
  const place = form.read(Buffer.from(cursor, 'base64url').toString().split(SEPARATOR));
  // Node reads base64 leniently: only what it would write itself counts, so that a place has one cursor.
  return place !== null && encodeCursor(form, place) === cursor ? place : null;
}
