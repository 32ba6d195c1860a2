import type { EntityManager } from '@mikro-orm/postgresql';
import type { QueryConfig } from 'pg';
import type { Queryable } from './queryable.js';
import { runStatement } from './statement.js';

type Kysely = ReturnType<EntityManager['getKysely']>;

/**
 * Runs statements in the open transaction of a unit of work. Does not flush it: a statement that must see pending
 * changes needs `em.flush()` before. A failed statement is not retried, since its transaction has failed: see
 * `inTransaction`.
 *
 * @throws Error outside a transaction
 */
export function transactionOf(em: EntityManager): Queryable {
  if (!em.isInTransaction()) throw new Error('The unit of work has no open transaction');
  const client = { query: (config: QueryConfig) => send(em.getKysely(), config) };
  return { query: (statement, values) => runStatement(client, statement, values) };
}

/**
 * Kysely passes `sql` to `query` of the driver unchanged. In place of a text, the driver also accepts an object with
 * the name of a prepared statement and the parsers of its rows.
 */
async function send(kysely: Kysely, config: QueryConfig): Promise<{ readonly rows: unknown[] }> {
  return kysely.executeQuery({
    query: { kind: 'RawNode', sqlFragments: [config.text], parameters: [] },
    queryId: { queryId: '' },
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- Kysely has no type for a named statement
    sql: config as unknown as string,
    parameters: config.values ?? [],
  });
}
