/** Rows of texts as a table: every column as wide as its widest text, the last one as it comes. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((text, column) => Math.max(text.length, widest[column] ?? 0)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
