import pg from 'pg';

interface Cell {
  readonly column: string;
  readonly value: string;
}

/** The content of the database as text, by `table.column`. */
export async function storedText(pool: pg.Pool): Promise<ReadonlyMap<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const columns = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await pool.query<Cell>(
      `
        select cell.*
        from ${pg.escapeIdentifier(name)} as row, jsonb_each_text(to_jsonb(row)) as cell("column", value)
        where cell.value is not null`,
    );
    for (const { column, value } of rows)
      columns.set(`${name}.${column}`, `${columns.get(`${name}.${column}`) ?? ''}${value}\n`);
  }
  return columns;
}
