import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ormConfig from '../../../mikro-orm.config.js';
import { migrate, readMigrationState } from '../../../src/database/index.js';
import { createEmptyDatabase, withClient, type TestDatabase } from '../../support/database/test-database.js';

describe('readMigrationState', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(() => database.drop());

  it('returns all migrations of an empty database as pending, in the order of the migrator', async () => {
    const { pending, unknown } = await readMigrationState(database.url, ormConfig);
    expect(unknown).toEqual([]);
    expect(await migrate(database.url, ormConfig)).toEqual(pending);
    expect(await readMigrationState(database.url, ormConfig)).toEqual({ pending: [], unknown: [] });
    expect(await migrate(database.url, ormConfig)).toEqual([]);
  });

  it('returns pending migrations, and those of another version as unknown', async () => {
    await withClient(database.url, (client) =>
      client.query("update migration set name = '999-future' where name = '003-jobs'"),
    );
    expect(await readMigrationState(database.url, ormConfig)).toEqual({
      pending: ['003-jobs'],
      unknown: ['999-future'],
    });
  });
});
