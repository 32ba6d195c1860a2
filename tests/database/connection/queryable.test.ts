import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ormConfig from '../../../mikro-orm.config.js';
import {
  inTransaction,
  openDatabase,
  statement,
  transactionOf,
  unnamedStatement,
  type Database,
  type Queryable,
} from '../../../src/database/index.js';
import { countStatements } from '../../support/database/count-statements.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';

const AT = new Date('2026-05-04T03:02:01.123Z');

interface EchoRow {
  readonly at: Date;
  readonly ids: readonly string[];
  readonly bytes: Buffer;
  readonly detail: unknown;
  readonly none: string | null;
}

const ECHO = statement<EchoRow>(
  'test_echo',
  `
  select $1::timestamptz(3) as at, $2::text[] as ids, $3::bytea as bytes, $4::jsonb as detail, $5::text as none`,
);
const PREPARED = unnamedStatement<{ readonly name: string }>(
  `select name from pg_prepared_statements where name like 'test_%'`,
);
const INSERT = statement<{ readonly n: number }>('test_insert', 'insert into sample (n) values ($1) returning n');
const COUNT = statement<{ readonly count: number }>('test_count', 'select count(*)::integer as count from sample');

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase({ url: testDatabase.url, poolSize: 1, orm: ormConfig, warn: () => undefined });
  await database.pool.query('create table sample (n integer primary key)');
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

describe.each<[string, <T>(work: (on: Queryable) => Promise<T>) => Promise<T>]>([
  ['Database', (work) => work(database)],
  ['transactionOf', (work) => inTransaction(database, (em) => work(transactionOf(em)))],
])('query of %s', (_, run) => {
  it('returns each type of value as it was sent', async () => {
    const sent = [AT, ['a', '"b"', 'c,d'], Buffer.from([0, 255]), { a: [1] }, null];
    const [row] = await run((on) => on.query(ECHO, sent));
    expect(row).toEqual({ at: AT, ids: sent[1], bytes: sent[2], detail: sent[3], none: null });
  });

  it('sends an array of ten thousand values', async () => {
    const ids = Array.from({ length: 10_000 }, (_value, index) => `id ${index}`);
    expect((await run((on) => on.query(ECHO, [AT, ids, Buffer.alloc(0), null, null])))[0]?.ids).toEqual(ids);
  });

  it('prepares a named statement once on a connection, and no unnamed one', async () => {
    const prepared = await run(async (on) => {
      for (let time = 1; time <= 3; time += 1) await on.query(ECHO, [AT, [], Buffer.alloc(0), null, null]);
      return on.query(PREPARED, []);
    });
    expect(prepared).toEqual([{ name: 'test_echo' }]);
  });

  it('translates a violated constraint or a lost connection into its error', async () => {
    await expect(
      run((on) => on.query(unnamedStatement('select pg_terminate_backend(pg_backend_pid())'), [])),
    ).rejects.toMatchObject({ reason: 'DATABASE_UNAVAILABLE' });
  });
});

describe('transactionOf', () => {
  it('runs in the transaction: a rollback undoes what a statement wrote', async () => {
    const failing = inTransaction(database, async (em) => {
      await transactionOf(em).query(INSERT, [1]);
      expect(await transactionOf(em).query(COUNT, [])).toEqual([{ count: 1 }]);
      throw new Error('undo');
    });
    await expect(failing).rejects.toThrow('undo');
    expect(await database.query(COUNT, [])).toEqual([{ count: 0 }]);
  });

  it('sends one statement for a query', async () => {
    const { statements } = await countStatements(() =>
      inTransaction(database, (em) => transactionOf(em).query(COUNT, [])),
    );
    expect(statements).toBe(['begin', 'select', 'commit'].length);
  });

  it('rejects a unit of work without a transaction', () => {
    expect(() => transactionOf(database.fork())).toThrow('no open transaction');
  });
});

describe('query of Database', () => {
  it('rejects a statement that writes, before it is sent', async () => {
    const { result, statements } = await countStatements(async () => {
      await expect(async () => database.query(INSERT, [1])).rejects.toThrow('test_insert writes');
    });
    expect({ result, statements }).toEqual({ result: undefined, statements: 0 });
  });
});

describe('statement', () => {
  it.each([
    ['select 1 from account where id = $1 for no key update', false],
    ['select updated_at from account for update skip locked', false],
    ['Update account set username = $1', true],
    ['with gone as (delete from session returning id) select id from gone', true],
    ['insert into account (id) values ($1)', true],
  ])('knows of %j whether it writes: %j', (text, writes) => {
    expect(statement('test', text).writes).toBe(writes);
  });
});
