/** Retention rule: the rows of one table to delete, expressed so that an index finds them. */
export interface RetentionRule {
  readonly table: string;
  /** The indexed column by which the rows are deleted, in ascending order. */
  readonly ageColumn: string;
  /** SQL condition with the current time as `$1`; the index on `ageColumn` must cover it. */
  readonly condition: string;
}

/** SQL condition: the time in `column` is at least `afterMs` ago. */
export function isOlderThanSql(column: string, afterMs = 0): string {
  return `${column} <= $1::timestamptz - interval '${String(afterMs)} milliseconds'`;
}
