import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ormConfig from '../../../mikro-orm.config.js';
import { inTransaction, openDatabase, type Database } from '../../../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';

const POOL_SIZE = 2;
let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase({ url: testDatabase.url, poolSize: POOL_SIZE, orm: ormConfig, warn: () => undefined });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

describe('the pool of connections', () => {
  it('gets back those of transactions whose connection the server has ended', async () => {
    const cutOff = () => inTransaction(database, (em) => em.execute('select pg_terminate_backend(pg_backend_pid())'));

    for (let time = 1; time <= POOL_SIZE; time += 1)
      await expect(cutOff()).rejects.toMatchObject({ reason: 'DATABASE_UNAVAILABLE' });

    await expect(inTransaction(database, (em) => em.execute('select 1 as one'))).resolves.toEqual([{ one: 1 }]);
  });
});
