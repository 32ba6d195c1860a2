import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from './support/database/test-database.js';

interface UnindexedKey {
  readonly table: string;
  readonly column: string;
  readonly references: string;
}

/**
 * Foreign keys without an index that begins with their columns. A partial index counts only when its predicate is that
 * a column of the key is not null, which the comparison of a cascade implies. Any other partial index covers only some
 * of the rows.
 */
const UNINDEXED = `
  select c.conrelid::regclass::text as "table", c.confrelid::regclass::text as "references",
    (select string_agg(a.attname, ', ' order by k.ordinality)
      from unnest(c.conkey) with ordinality k (attnum, ordinality) join pg_attribute a on a.attrelid = c.conrelid
        and a.attnum = k.attnum) as "column"
  from pg_constraint c
  where c.contype = 'f' and not exists (
    select from pg_index i
    where i.indrelid = c.conrelid and i.indisvalid
      and (select array_agg(attnum order by attnum)
        from unnest((i.indkey::smallint[])[0:cardinality(c.conkey) - 1]) attnum)
        = (select array_agg(attnum order by attnum) from unnest(c.conkey) attnum)
      and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) in (
        select format('(%I IS NOT NULL)', a.attname) from pg_attribute a where a.attrelid = c.conrelid
          and a.attnum = any(c.conkey)))
  )
  order by 1, 2`;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function unindexedKeys(): Promise<UnindexedKey[]> {
  return (await client.query<UnindexedKey>(UNINDEXED)).rows;
}

describe('every foreign key', () => {
  it('has an index that its cascade uses', async () => {
    expect(await unindexedKeys()).toEqual([]);
  });

  it('is reported without an index, with a partial one, or with one that begins with another column', async () => {
    await client.query(`
      begin;
      create table sample (
        id integer primary key, none uuid references account, part uuid references account,
          second uuid references account,
        whole uuid references account, known uuid references account, kind text
      );
      create index on sample (part) where kind = 'x';
      create index on sample (id, second);
      create index on sample (whole, id);
      create index on sample (known) where known is not null;`);
    const listed = await unindexedKeys();
    await client.query('rollback');
    expect(listed.map(({ table, column, references }) => [table, column, references])).toEqual(
      ['none', 'part', 'second'].map((column) => ['sample', column, 'account']),
    );
  });

  it('is found by that index when rows of the referenced table are deleted', async () => {
    const { rows: keys } = await client.query<{ table: string; column: string }>(`
      select c.conrelid::regclass::text as "table", quote_ident(a.attname) as "column"
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        where c.contype = 'f' order by 1, 2`);
    expect(keys.length).toBeGreaterThan(10);
    await client.query('set enable_seqscan = off');
    for (const { table, column } of keys) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (generic_plan) delete from ${table} where ${column} = $1`,
      );
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`Index Cond: (${column} = $1)`);
    }
  });
});
