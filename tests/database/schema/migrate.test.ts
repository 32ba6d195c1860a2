import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import ormConfig from '../../../mikro-orm.config.js';
import { migrate, MigrationInterruptedError } from '../../../src/database/index.js';
import {
  createEmptyDatabase,
  databaseUrl,
  withClient,
  type TestDatabase,
} from '../../support/database/test-database.js';

const LOCK = 'select pg_advisory_lock(7266331)';
let database: TestDatabase;

beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

describe('migrate', () => {
  it('reports that another process migrates, and continues when that ends', async () => {
    let waits = 0;
    await withClient(database.url, async (client) => {
      await client.query(LOCK);
      const migrating = migrate(database.url, ormConfig, {
        onWait: () => {
          waits += 1;
          void client.query('select pg_advisory_unlock_all()');
        },
      });
      expect((await migrating).length).toBeGreaterThan(0);
    });
    expect(waits).toBe(1);
  });

  it('ends its wait when it is interrupted', async () => {
    const stop = new AbortController();
    await withClient(database.url, async (client) => {
      await client.query(LOCK);
      const migrating = migrate(database.url, ormConfig, {
        stop: stop.signal,
        onWait: () => {
          stop.abort();
        },
      });
      await expect(migrating).rejects.toThrow(MigrationInterruptedError);
    });
  });

  it('names the missing right and the remedy in one sentence', async () => {
    const role = `limited_${Date.now()}`;
    await withClient(database.url, (client) => client.query(`create role ${role} login password 'secret'`));
    const url = new URL(database.url);
    url.username = role;
    url.password = 'secret';
    try {
      await expect(migrate(url.href, ormConfig)).rejects.toThrow(
        new RegExp(
          `^The role "${role}" may not create tables in the schema "public" .*run "grant create on schema public`,
        ),
      );
    } finally {
      await withClient(database.url, (client) => client.query(`drop role ${role}`));
    }
  });

  it('rejects a database whose encoding cannot store all text', async () => {
    const name = `latin_${Date.now()}`;
    const serverUrl = databaseUrl(database.url, 'postgres');
    await withClient(serverUrl, (client) =>
      client.query(`create database ${name} template template0 encoding 'LATIN1' locale 'C'`),
    );
    try {
      await expect(migrate(databaseUrl(database.url, name), ormConfig)).rejects.toThrow(
        /has the encoding LATIN1, .*create another with "create database … encoding 'UTF8'/,
      );
    } finally {
      await withClient(serverUrl, (client) => client.query(`drop database ${name} with (force)`));
    }
  });
});
