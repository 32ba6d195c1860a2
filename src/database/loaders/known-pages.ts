import { LRUCache } from 'lru-cache';
import { MAX_AGE } from './known-rows.js';

interface KnownPage<Node> {
  readonly version: string;
  readonly nodes: readonly Node[];
}

interface VersionedQuery {
  /** Version of the list, as read before the page; null when it is not known. */
  readonly version: string | null;
}

interface KnownPagesOptions<Query> {
  /** Identifies the page of a query. */
  readonly cacheKey: (query: Query) => string;
  /** Bounds the memory. */
  readonly maxNodes: number;
}

/**
 * Returns a loader that remembers pages, and loads a page only when its version is another one. So every read still
 * sees all commits before the read of the version.
 *
 * All requests share the entries, so nothing may change them.
 */
export function rememberPages<Query extends VersionedQuery, Node>(
  load: (query: Query) => Promise<readonly Node[]>,
  { cacheKey, maxNodes }: KnownPagesOptions<Query>,
): (query: Query) => Promise<readonly Node[]> {
  const pages = new LRUCache<string, KnownPage<Node>>({
    ...MAX_AGE,
    maxSize: maxNodes,
    sizeCalculation: ({ nodes }) => nodes.length + 1,
  });
  return async (query) => {
    const { version } = query;
    if (version === null) return load(query);
    const key = cacheKey(query);
    const known = pages.get(key);
    if (known?.version === version) return known.nodes;
    const nodes = await load(query);
    pages.set(key, { version, nodes });
    return nodes;
  };
}
