import type { PageQuery } from './page-query.js';

interface Edge<Node> {
  readonly cursor: string;
  readonly node: Node;
}

interface PageInfo {
  readonly hasNextPage: boolean;
  /** True for every page but the first: each cursor belongs to an entry that exists. */
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
 * Builds a page. Cursors are computed when `edges` or `pageInfo` is read, because most callers read only `nodes`.
 *
 * @param found the entries that follow `page.after`, in order, one more than the page holds where there are more
 */
export function toConnectionPage<Node, Key>(
  page: PageQuery<Key>,
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
