import { statement, type Statement, type StatementOptions } from '../connection/statement.js';

export type SqlOrder = 'asc' | 'desc';

/** The statements that read the pages of one list, from its beginning and from its end. */
export interface PagedStatement<Row> {
  /** Returns the rows in the order of the list. */
  readonly forward: Statement<Row>;
  /** Returns the rows in the opposite order. */
  readonly backward: Statement<Row>;
}

/**
 * Creates the statements of a list. Both read the same index, in opposite directions.
 *
 * @param name the name of the forward statement; that of the backward one ends in `_backward`
 * @param listOrder the order of the list
 * @param sqlIn SQL of a statement that returns its rows in that order
 */
export function pagedStatement<Row>(
  name: string,
  listOrder: SqlOrder,
  sqlIn: (order: SqlOrder) => string,
  options?: StatementOptions,
): PagedStatement<Row> {
  const opposite = listOrder === 'asc' ? 'desc' : 'asc';
  return {
    forward: statement<Row>(name, sqlIn(listOrder), options),
    backward: statement<Row>(`${name}_backward`, sqlIn(opposite), options),
  };
}

/** Returns the statement that reads a page. */
export function statementFor<Row>(
  { backward }: { readonly backward: boolean },
  statements: PagedStatement<Row>,
): Statement<Row> {
  return backward ? statements.backward : statements.forward;
}
