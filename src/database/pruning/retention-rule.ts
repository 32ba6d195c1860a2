/** Rows of one table that are of no use any more, in such terms that they are found without a look at the others. */
export interface RetentionRule {
  readonly table: string;
  /** The column that an index has them by, the ones to go first before the others. */
  readonly ageColumn: string;
  /** Which they are, as a condition with the present moment as `$1`; the index must serve it together with `by`. */
  readonly condition: string;
}

/** Those for whose moment, in that column, so long has passed; a part of a condition for `which`. */
export function isOlderThanSql(column: string, afterMs = 0): string {
  return `${column} <= $1::timestamptz - interval '${String(afterMs)} milliseconds'`;
}
