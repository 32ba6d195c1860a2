import { InvalidFields } from '../errors/index.js';

/** Lists give no more at once, whatever is asked for. */
export const LARGEST_PAGE = 1_000;

/** Which part of a list is asked for, in the words of the GraphQL Cursor Connections Specification. */
export interface PageRequest {
  /** 1 to 1,000. */
  readonly first: number;
  /** The cursor of the last entry that the caller has; null or absent for the beginning. */
  readonly after?: string | null | undefined;
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
export interface CursorForm<Place> {
  write(place: Place): readonly string[];
  read(parts: readonly string[]): Place | null;
}

export interface CheckedPage<Place> {
  readonly first: number;
  /** Null for the beginning. */
  readonly after: Place | null;
}

/** @throws InvalidInputError `INVALID_INPUT` for a size out of range (`first`) or a cursor of another list (`after`). */
export function checkPage<Place>(request: PageRequest, form: CursorForm<Place>): CheckedPage<Place> {
  const cursor = request.after ?? null;
  const after = cursor === null ? null : placeOf(cursor, form);
  const sizeIsRight = Number.isInteger(request.first) && request.first >= 1 && request.first <= LARGEST_PAGE;
  new InvalidFields()
    .check('first', sizeIsRight ? null : `must be from 1 to ${LARGEST_PAGE.toLocaleString('en')}`)
    .check('after', cursor === null || after !== null ? null : 'must be a cursor that this list has given')
    .throwIfAny();
  return { first: request.first, after };
}

/** @param found the rows that follow `page.after`, in order, one more than the page holds where there are more */
export function connectionPage<Node, Place>(
  page: CheckedPage<Place>,
  found: readonly Node[],
  totalCount: number,
  cursorOf: (node: Node) => string,
): ConnectionPage<Node> {
  const nodes = found.slice(0, page.first);
  const edges = nodes.map((node) => ({ cursor: cursorOf(node), node }));
  return {
    totalCount,
    nodes,
    edges,
    pageInfo: {
      hasNextPage: found.length > page.first,
      hasPreviousPage: page.after !== null,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** Opaque to clients, so that what a list is ordered by can change. */
export function writeCursor<Place>(form: CursorForm<Place>, place: Place): string {
  return Buffer.from(form.write(place).join(SEPARATOR)).toString('base64url');
}

const SEPARATOR = '|';

function placeOf<Place>(cursor: string, form: CursorForm<Place>): Place | null {
  const place = form.read(Buffer.from(cursor, 'base64url').toString().split(SEPARATOR));
  // Node reads base64 leniently: only what it would write itself counts, so that a place has one cursor.
  return place !== null && writeCursor(form, place) === cursor ? place : null;
}
