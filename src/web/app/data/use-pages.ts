import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Client } from '../../session/client.js';
import { useApp } from './app-context.js';
import { isRetriedOnline } from './is-retried-online.js';
import { useReturn } from './use-return.js';

/** One page of a connection of the API. */
interface ConnectionPage<TNode> {
  readonly nodes: readonly TNode[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

type ReadPage<TNode> = (client: Client, after: string | null) => Promise<ConnectionPage<TNode>>;

export interface Pages<TNode> {
  /** The entries of all pages so far; null until the first page has arrived. */
  readonly nodes: readonly TNode[] | null;
  readonly totalCount: number;
  readonly hasMore: boolean;
  /**
   * Why the last attempt failed; null when it did not, or when it is repeated once the network returns and the visitor
   * has not asked for it.
   */
  readonly error: unknown;
  /** Reads the next page. */
  readonly more: () => void;
  /** Reads again as many pages as are shown. */
  readonly reload: () => void;
}

/** Reads a list page by page, and again when the visitor returns to the page or to the network. */
export function usePages<TNode>(readPage: ReadPage<TNode>): Pages<TNode> {
  const { client } = useApp();
  const [pages, setPages] = useState<readonly ConnectionPage<TNode>[]>([]);
  const [error, setError] = useState<unknown>(null);
  const shown = useRef(1);
  const attempts = useRef(0);
  const read = useCallback(
    (isAsked: boolean) => {
      const attempt = ++attempts.current;
      readPages(client, readPage, shown.current).then(
        (result) => {
          if (attempt !== attempts.current) return;
          setPages(result);
          setError(null);
        },
        (reason: unknown) => {
          if (attempt === attempts.current && (isAsked || !isRetriedOnline(reason))) setError(reason);
        },
      );
    },
    [client],
  );
  const reload = useCallback(() => {
    read(false);
  }, [read]);
  const more = useCallback(() => {
    shown.current++;
    read(true);
  }, [read]);
  useEffect(reload, [reload]);
  useReturn(reload);
  const last = pages.at(-1);
  return {
    nodes: last === undefined ? null : pages.flatMap(({ nodes }) => nodes),
    totalCount: last?.totalCount ?? 0,
    hasMore: last?.pageInfo.hasNextPage ?? false,
    error,
    more,
    reload,
  };
}

/** Reads the pages anew, so that they belong together also when the list has changed. */
async function readPages<TNode>(
  client: Client,
  readPage: ReadPage<TNode>,
  count: number,
): Promise<ConnectionPage<TNode>[]> {
  const pages: ConnectionPage<TNode>[] = [];
  let after: string | null = null;
  while (pages.length < count) {
    const page: ConnectionPage<TNode> = await readPage(client, after);
    pages.push(page);
    if (!page.pageInfo.hasNextPage) break;
    after = page.pageInfo.endCursor;
  }
  return pages;
}
