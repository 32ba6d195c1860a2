import type { Statement } from './statement.js';

/** Runs typed statements: `Database` each in a transaction of its own, `transactionOf` in the open transaction. */
export interface Queryable {
  /**
   * Runs a statement. Times come back as `Date`.
   *
   * @param values the parameters `$1`, `$2`, …
   */
  query<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
}
