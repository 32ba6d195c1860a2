import { forEachInSlices, mapInSlices } from '../../async/pacing.js';
import type { Database } from '../connection/database.js';
import type { Statement } from '../connection/statement.js';
import { createBatchLoader } from './batch-loader.js';

/** A row of a statement that reads several pages. */
export interface BatchedRow {
  /** Position of the page query that the row belongs to, from 1, as `with ordinality` counts. */
  readonly page: number;
}

export interface PageLoaderOptions<Query, Row extends BatchedRow, Node> {
  /** Limits each page by its own size. Returns the rows of a page in the order of its list. */
  readonly statement: Statement<Row>;
  /** Returns the parameters of the statement: one array per parameter, with one element per query. */
  readonly columns: (queries: readonly Query[]) => readonly (readonly unknown[])[];
  /** Identifies a query. Queries with the same key are read once. */
  readonly cacheKey: (query: Query) => string;
  readonly nodeOf: (row: Row) => Node;
}

/** Each requested entry costs 1, and no operation costs more. So an operation needs one statement per list. */
const MAX_ENTRIES_PER_STATEMENT = 25_000;

interface Page<Node> {
  readonly cacheKey: string;
  readonly nodes: Node[];
}

/**
 * Creates a loader that reads the pages of one event-loop iteration with one statement. So an operation runs one
 * statement per list in its document, for any number of groups and any page size.
 *
 * The statement returns up to `first` entries of each list, and one more when further entries follow.
 */
export function createPageLoader<Query extends { readonly first: number }, Row extends BatchedRow, Node>(
  database: Database,
  options: PageLoaderOptions<Query, Row, Node>,
): (query: Query) => Promise<readonly Node[]> {
  const readMany = async (queries: readonly Query[]): Promise<Page<Node>[]> => {
    const pages: Page<Node>[] = [];
    // Sequential, so that the pages of many requests do not take all connections.
    for (const part of splitByEntries(queries))
      for (const page of await readPages(database, options, part)) pages.push(page);
    return pages;
  };
  const loadPage = createBatchLoader(readMany, options.cacheKey, ({ cacheKey }) => cacheKey);
  return async (query) => (await loadPage(query))?.nodes ?? [];
}

/** Splits queries into parts of at most `MAX_ENTRIES_PER_STATEMENT` entries. */
function splitByEntries<Query extends { readonly first: number }>(queries: readonly Query[]): Query[][] {
  const parts: Query[][] = [];
  let entries = Infinity;
  for (const query of queries) {
    entries += query.first;
    if (entries > MAX_ENTRIES_PER_STATEMENT) {
      parts.push([]);
      entries = query.first;
    }
    parts.at(-1)?.push(query);
  }
  return parts;
}

async function readPages<Query, Row extends BatchedRow, Node>(
  database: Database,
  { statement, columns, cacheKey, nodeOf }: PageLoaderOptions<Query, Row, Node>,
  queries: readonly Query[],
): Promise<Page<Node>[]> {
  const rows = await database.query(statement, columns(queries));
  const pages = await mapInSlices(queries, (query) => ({ cacheKey: cacheKey(query), nodes: new Array<Node>() }));
  await forEachInSlices(rows, (row) => pages[row.page - 1]?.nodes.push(nodeOf(row)));
  return pages;
}
