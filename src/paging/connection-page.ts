import type { PageQuery } from './page-query.js';

interface Edge<Node> {
  readonly cursor: string;
  readonly node: Node;
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** Null for an empty page. */
  readonly startCursor: string | null;
  /** Null for an empty page. */
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
 * Builds a page. Each cursor is computed when it is read, because most callers read only `nodes`.
 *
 * Outside the range of the page, a cursor stands for at least one entry, its own.
 *
 * @param found the first entries of the range in the order of the list, or the last ones in the opposite order; one
 *   more than the page holds where there are more
 */
export function toConnectionPage<Node, Key>(
  page: PageQuery<Key>,
  found: readonly Node[],
  totalCount: number,
  cursorOf: (node: Node) => string,
): ConnectionPage<Node> {
  const nodes = found.slice(0, page.size);
  if (page.backward) nodes.reverse();
  const hasMore = found.length > page.size;
  const cursorAt = (index: number): string | null => {
    const node = nodes.at(index);
    return node === undefined ? null : cursorOf(node);
  };
  return {
    totalCount,
    nodes,
    get edges() {
      return nodes.map((node) => ({ cursor: cursorOf(node), node }));
    },
    pageInfo: {
      hasNextPage: page.backward ? page.before !== null : hasMore,
      hasPreviousPage: page.backward ? hasMore : page.after !== null,
      get startCursor() {
        return cursorAt(0);
      },
      get endCursor() {
        return cursorAt(-1);
      },
    },
  };
}
