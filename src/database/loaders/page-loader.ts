import { forEachInSlices, mapInSlices } from '../../async/pacing.js';
import type { Database } from '../connection/database.js';
import { createBatchLoader, type BatchLoader } from './batch-loader.js';
import { statementFor, type PagedStatement } from './paged-statement.js';

/** A row of a statement that reads several pages. */
export interface BatchedRow {
  /** Position of the page query that the row belongs to, from 1, as `with ordinality` counts. */
  readonly page: number;
}

export interface PageLoaderOptions<Query, Row extends BatchedRow, Node> {
  /** Limits each page by its own size. */
  readonly statements: PagedStatement<Row>;
  /** Returns the parameters of the statement: one array per parameter, with one element per query. */
  readonly columns: (queries: readonly Query[]) => readonly (readonly unknown[])[];
  /** Identifies a query among those in its direction. Queries with the same key are read once. */
  readonly cacheKey: (query: Query) => string;
  /** Adds the entries of a row to those of its page. */
  readonly collect: (nodes: Node[], row: Row, query: Query) => void;
}

/** Each requested entry costs 1, and no operation costs more. So a paced operation needs one statement per list. */
const MAX_PACED_ENTRIES = 25_000;
/** So that the pages of many small operations are read concurrently. One of them has 500 entries at most. */
const MAX_UNPACED_ENTRIES = 320;
/** Statements that read the pages of small operations concurrently. */
const CONCURRENT_STATEMENTS = 2;

interface SizedQuery {
  readonly size: number;
  /** Whether the page is the end of its range. */
  readonly backward: boolean;
}

interface Page<Node> {
  readonly cacheKey: string;
  readonly nodes: Node[];
}

/**
 * Creates a loader that reads the pages of one event-loop iteration, over all requests, with one statement for 320
 * entries. A paced operation runs one statement per list and direction in its document, for any number of groups.
 *
 * The statement returns up to `size` entries of each list, and one more when there are further entries.
 */
export function createPageLoader<Query extends SizedQuery, Row extends BatchedRow, Node>(
  database: Database,
  options: PageLoaderOptions<Query, Row, Node>,
): (query: Query) => Promise<readonly Node[]> {
  const readMany = async (queries: readonly Query[]): Promise<Page<Node>[]> => {
    const pages: Page<Node>[] = [];
    for (const part of splitByEntries(queries, MAX_PACED_ENTRIES)) {
      for (const page of await readPages(database, options, part)) pages.push(page);
    }
    return pages;
  };
  const [loadForward, loadBackward] = [createLoader(), createLoader()];
  return async (query) => (await (query.backward ? loadBackward : loadForward)(query))?.nodes ?? [];

  function createLoader(): BatchLoader<Query, Page<Node>> {
    return createBatchLoader(readMany, options.cacheKey, ({ cacheKey }) => cacheKey, {
      split: (queries) => splitByEntries(queries, MAX_UNPACED_ENTRIES),
      maxStatements: CONCURRENT_STATEMENTS,
    });
  }
}

/** Splits queries into parts of at most `maxEntries` entries. */
function splitByEntries<Query extends SizedQuery>(queries: readonly Query[], maxEntries: number): Query[][] {
  const parts: Query[][] = [];
  let entries = Infinity;
  for (const query of queries) {
    entries += query.size;
    if (entries > maxEntries) {
      parts.push([]);
      entries = query.size;
    }
    parts.at(-1)?.push(query);
  }
  return parts;
}

async function readPages<Query extends SizedQuery, Row extends BatchedRow, Node>(
  database: Database,
  { statements, columns, cacheKey, collect }: PageLoaderOptions<Query, Row, Node>,
  queries: readonly Query[],
): Promise<Page<Node>[]> {
  // One loader reads forward, the other backward.
  const backward = queries[0]?.backward === true;
  const rows = await database.query(statementFor({ backward }, statements), columns(queries));
  const pages = await mapInSlices(queries, (query) => ({ query, cacheKey: cacheKey(query), nodes: new Array<Node>() }));
  const collectRow = (row: Row): void => {
    const page = pages[row.page - 1];
    if (page !== undefined) collect(page.nodes, row, page.query);
  };
  // A row may be a page of 100 entries.
  await forEachInSlices(rows, collectRow, { itemsPerClockReading: 1 });
  return pages;
}
