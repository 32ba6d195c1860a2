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

describe('releaseBrokenClients', () => {
  it('releases the connections that the server ended during a transaction', async () => {
    const endConnection = () =>
      inTransaction(database, (em) => em.execute('select pg_terminate_backend(pg_backend_pid())'));

    for (let time = 1; time <= POOL_SIZE; time += 1)
      await expect(endConnection()).rejects.toMatchObject({ reason: 'DATABASE_UNAVAILABLE' });

    await expect(inTransaction(database, (em) => em.execute('select 1 as one'))).resolves.toEqual([{ one: 1 }]);
  });
});
