import { batchedRead, type BatchedRead, type Database, type Statement } from '../../database/index.js';

/** A row of a statement that answers several asks at once. */
export interface AnsweringRow {
  /** Which of the asks it belongs to, counted from 1, as `with ordinality` counts. */
  readonly ask: number;
}

export interface PagesOf<Ask, Row extends AnsweringRow, Node> {
  /** Cuts each page off by its own limit; its rows come in the order of the list. */
  readonly statement: Statement<Row>;
  /** The statement's parameters: a column of values for each. */
  readonly columns: (asks: readonly Ask[]) => readonly (readonly unknown[])[];
  /** Tells asks apart; asks with the same text are asked once. */
  readonly askText: (ask: Ask) => string;
  readonly nodeOf: (row: Row) => Node;
}

/** Larger pages get a statement each: many of them in one would hold too many rows at once. */
const LARGEST_BATCHED = 100;

interface AnsweredAsk<Node> {
  readonly text: string;
  readonly nodes: Node[];
}

/**
 * Reads pages of many lists, all that are asked for in one turn with one statement, so that a query costs as many
 * statements as it has lists in its text, however many groups it shows them of.
 *
 * Of each list come the entries that follow, one more than `first` where there are more: the statement sees to that.
 */
export function batchedPages<Ask extends { readonly first: number }, Row extends AnsweringRow, Node>(
  database: Database,
  pages: PagesOf<Ask, Row, Node>,
): (ask: Ask) => Promise<readonly Node[]> {
  const readMany = (asks: readonly Ask[]): Promise<AnsweredAsk<Node>[]> => answerAsks(database, pages, asks);
  const batched: BatchedRead<Ask, AnsweredAsk<Node>> = batchedRead(readMany, pages.askText, ({ text }) => text);
  return async (ask) => {
    const answered = ask.first > LARGEST_BATCHED ? (await readMany([ask]))[0] : await batched(ask);
    return answered?.nodes ?? [];
  };
}

async function answerAsks<Ask, Row extends AnsweringRow, Node>(
  database: Database,
  { statement, columns, askText, nodeOf }: PagesOf<Ask, Row, Node>,
  asks: readonly Ask[],
): Promise<AnsweredAsk<Node>[]> {
  const rows = await database.read(statement, columns(asks));
  const answers = asks.map((ask) => ({ text: askText(ask), nodes: new Array<Node>() }));
  for (const row of rows) answers[row.ask - 1]?.nodes.push(nodeOf(row));
  return answers;
}
