import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isOlderThanSql, type RetentionRule } from '../../../src/database/index.js';
import { BATCH_ROWS, prune } from '../../../src/database/pruning/prune.js';
import { pruneAll, startPruning } from '../../../src/database/pruning/start-pruning.js';
import { pruneOnce } from '../../support/database/prune-once.js';
import { withClient } from '../../support/database/test-database.js';
import { createOutboxFixture, type OutboxFixture } from '../outbox/outbox-fixture.js';

const RULE: RetentionRule = { table: 'sample', ageColumn: 'at', condition: isOlderThanSql('at', 1_000) };
const RULE_OF_UNKNOWN_TABLE: RetentionRule = { ...RULE, table: 'nowhere' };
const NEVER = new AbortController().signal;

let fixture: OutboxFixture;

beforeAll(async () => {
  fixture = await createOutboxFixture();
  await fixture.database.pool.query('create table sample (id integer primary key, at timestamptz(3) not null)');
  await fixture.database.pool.query('create index on sample (at)');
});
beforeEach(() => fixture.database.pool.query('truncate sample'));
afterAll(() => fixture.close());

async function add(count: number, at = new Date(0)): Promise<void> {
  await fixture.database.pool.query(
    'insert into sample select coalesce((select max(id) from sample), 0) + n, $2 from generate_series(1, $1) as n',
    [count, at],
  );
}

async function countRows(): Promise<number> {
  return (await fixture.database.pool.query('select from sample')).rowCount ?? -1;
}

describe('prune', () => {
  it('deletes the rows that the rule selects, and no others', async () => {
    const now = fixture.clock.now();
    await add(1, new Date(now.getTime() - 1_000));
    await add(1, new Date(now.getTime() - 999));
    await pruneOnce(fixture.database, now, [RULE]);
    expect(await countRows()).toBe(1);
  });

  it('deletes all rows, in batches that are committed separately', async () => {
    await add(2 * BATCH_ROWS + 1);
    const deleted: (number | null)[] = [];
    const pool = Object.assign(Object.create(fixture.database.pool) as typeof fixture.database.pool, {
      query: async (text: string, values: unknown[]) => {
        const result = await fixture.database.pool.query(text, values);
        deleted.push(result.rowCount);
        return result;
      },
    });
    await prune(pool, RULE, fixture.clock.now(), NEVER);
    expect(deleted).toEqual([BATCH_ROWS, BATCH_ROWS, 1]);
    expect(await countRows()).toBe(0);
  });

  it('deletes all rows when many processes prune concurrently', async () => {
    await add(5 * BATCH_ROWS);
    await Promise.all(Array.from({ length: 8 }, () => pruneOnce(fixture.database, fixture.clock.now(), [RULE])));
    await pruneOnce(fixture.database, fixture.clock.now(), [RULE]);
    expect(await countRows()).toBe(0);
  });

  it('skips locked rows, and deletes them in a later run', async () => {
    await add(3);
    await withClient(fixture.url, async (client) => {
      await client.query('begin');
      await client.query('select from sample where id = 2 for update');
      await pruneOnce(fixture.database, fixture.clock.now(), [RULE]);
      expect(await countRows()).toBe(1);
      await client.query('update sample set at = $1 where id = 2', [fixture.clock.now()]);
      await client.query('commit');
    });
    await pruneOnce(fixture.database, fixture.clock.now(), [RULE]);
    expect(await countRows()).toBe(1);
  });

  it('reports the error of a rule and applies the other rules', async () => {
    await add(1);
    const errors: unknown[] = [];
    await pruneAll(
      {
        database: fixture.database,
        clock: fixture.clock,
        outdated: [RULE_OF_UNKNOWN_TABLE, RULE],
        onError: (error) => errors.push(error),
      },
      NEVER,
    );
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('nowhere') })]);
    expect(await countRows()).toBe(0);
  });

  it('stops after the running batch when it is aborted', async () => {
    await add(1);
    await pruneAll(
      { database: fixture.database, clock: fixture.clock, outdated: [RULE], onError: () => undefined },
      AbortSignal.abort(),
    );
    expect(await countRows()).toBe(1);
    const pruning = startPruning({
      database: fixture.database,
      clock: fixture.clock,
      outdated: [RULE],
      onError: () => undefined,
    });
    await pruning.stop();
    expect(await countRows()).toBe(1);
  });
});
