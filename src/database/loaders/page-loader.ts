import { forEachInSlices, mapInSlices } from '../../async/pacing.js';
import type { Database } from '../connection/database.js';
import type { Statement } from '../connection/statement.js';
import { createBatchLoader, type BatchLoader } from './batch-loader.js';

/** A row of a statement that answers several asks at once. */
export interface BatchedRow {
  /** Which of the asks it belongs to, counted from 1, as `with ordinality` counts. */
  readonly ask: number;
}

export interface PageLoaderOptions<Ask, Row extends BatchedRow, Node> {
  /** Cuts each page off by its own limit; its rows come in the order of the list. */
  readonly statement: Statement<Row>;
  /** The statement's parameters: a column of values for each. */
  readonly columns: (asks: readonly Ask[]) => readonly (readonly unknown[])[];
  /** Tells asks apart; asks with the same text are asked once. */
  readonly cacheKey: (ask: Ask) => string;
  readonly nodeOf: (row: Row) => Node;
}

/**
 * No operation may cost more, and each entry that is asked for costs 1: so one operation takes one statement for each
 * list in its text.
 */
const MAX_ENTRIES_PER_STATEMENT = 25_000;

interface AnsweredAsk<Node> {
  readonly text: string;
  readonly nodes: Node[];
}

/**
 * Reads pages of many lists, all that are asked for in one turn with one statement, so that a query costs as many
 * statements as it has lists in its text, however many groups it shows them of, and however long its pages are.
 *
 * Of each list come the entries that follow, one more than `first` where there are more: the statement sees to that.
 */
export function createPageLoader<Ask extends { readonly first: number }, Row extends BatchedRow, Node>(
  database: Database,
  pages: PageLoaderOptions<Ask, Row, Node>,
): (ask: Ask) => Promise<readonly Node[]> {
  const readMany = async (asks: readonly Ask[]): Promise<AnsweredAsk<Node>[]> => {
    const answered: AnsweredAsk<Node>[] = [];
    // One after the other: pages of many requests together must not take the connections of everybody else.
    for (const part of partsOf(asks))
      for (const answer of await answerAsks(database, pages, part)) answered.push(answer);
    return answered;
  };
  const batched: BatchLoader<Ask, AnsweredAsk<Node>> = createBatchLoader(readMany, pages.cacheKey, ({ text }) => text);
  return async (ask) => (await batched(ask))?.nodes ?? [];
}

/** Parts that each ask for no more entries than one statement should hold. */
function partsOf<Ask extends { readonly first: number }>(asks: readonly Ask[]): Ask[][] {
  const parts: Ask[][] = [];
  let entries = Infinity;
  for (const ask of asks) {
    entries += ask.first;
    if (entries > MAX_ENTRIES_PER_STATEMENT) {
      parts.push([]);
      entries = ask.first;
    }
    parts.at(-1)?.push(ask);
  }
  return parts;
}

async function answerAsks<Ask, Row extends BatchedRow, Node>(
  database: Database,
  { statement, columns, cacheKey, nodeOf }: PageLoaderOptions<Ask, Row, Node>,
  asks: readonly Ask[],
): Promise<AnsweredAsk<Node>[]> {
  const rows = await database.query(statement, columns(asks));
  const answers = await mapInSlices(asks, (ask) => ({ text: cacheKey(ask), nodes: new Array<Node>() }));
  await forEachInSlices(rows, (row) => answers[row.ask - 1]?.nodes.push(nodeOf(row)));
  return answers;
}
