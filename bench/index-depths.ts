import type { Connection } from './seed-rows.js';

const MIB = 1_024 * 1_024;
const EXTRAPOLATED_ROWS = 10_000_000;

interface IndexSize {
  readonly index: string;
  readonly rows: number;
  readonly pages: number;
  readonly bytes: number;
}

const INDEX_SIZES = `
  select i.relname as index, greatest(i.reltuples, 1)::float8 as rows, i.relpages as pages,
    pg_relation_size(i.oid)::float8 as bytes
  from pg_class t join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid
  where t.relname = any($1::text[]) and t.relnamespace = 'public'::regnamespace and i.relpages > 100
  order by t.relname, i.relname`;

/**
 * Prints how many pages a search in each B-tree reads, now and with ten million accounts. The number of levels follows
 * from the entries per page, which do not change with the number of rows.
 */
export async function printIndexDepths(connection: Connection, tables: readonly string[]): Promise<void> {
  const { rows } = await connection.query<IndexSize>(INDEX_SIZES, [tables]);
  const { accounts } = (
    await connection.query<{ accounts: number }>('select count(*)::float8 as accounts from account')
  ).rows[0]!;
  console.log('\n| index | MiB | entries per page | levels | levels with 10,000,000 accounts |\n|---|---|---|---|---|');
  for (const size of rows) console.log(rowOf(size, EXTRAPOLATED_ROWS / accounts));
}

function rowOf({ index, rows, pages, bytes }: IndexSize, factor: number): string {
  const perPage = rows / pages;
  const cells = [index, (bytes / MIB).toFixed(0), perPage.toFixed(0)];
  return `| ${[...cells, levels(pages, perPage), levels(pages * factor, perPage)].join(' | ')} |`;
}

function levels(leafPages: number, perPage: number): number {
  return 1 + Math.ceil(Math.log(leafPages) / Math.log(perPage));
}
