import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MIGRATIONS } from '../../../src/database/migrations/index.js';
import { withClient } from '../../support/database/test-database.js';
import { createCliFixture, type CliFixture } from '../fixtures/cli-fixture.js';

let fixture: CliFixture;
beforeEach(async () => {
  fixture = await createCliFixture({ empty: true });
});
afterEach(() => fixture.close());

async function pretend(sql: string): Promise<void> {
  await withClient(fixture.databaseUrl, (client) => client.query(sql));
}

describe('convene migrate', () => {
  it('migrates a new database and does nothing when repeated', async () => {
    const { code, out } = await fixture.convene('migrate');
    expect(code).toBe(0);
    expect(out).toMatch(/^Brought up to date: 001-accounts, 002-groups, /);
    expect(out.split(', ')).toHaveLength(MIGRATIONS.length);
    expect(await fixture.convene('migrate')).toEqual({ code: 0, out: 'The database is up to date.', err: '' });
  });

  it('rejects the database of a newer version', async () => {
    await fixture.convene('migrate');
    await pretend("insert into migration (name) values ('999-future')");
    const { code, err } = await fixture.convene('migrate');
    expect([code, err]).toEqual([
      1,
      'The database belongs to a newer version of Convene than this command (it has 999-future): use that version.',
    ]);
  });
});

describe('withCore', () => {
  it('rejects a database with pending migrations', async () => {
    const { code, err } = await fixture.convene('admin', 'grant', 'ada');
    expect(code).toBe(1);
    expect(err).toMatch(/^The database lacks 001-accounts, .*: run "convene migrate" first\.$/);
    await withClient(fixture.databaseUrl, async (client) => {
      expect((await client.query("select from pg_tables where schemaname = 'public'")).rowCount).toBe(0);
    });
  });

  it('rejects the database of a newer version', async () => {
    await fixture.convene('migrate');
    await pretend("insert into migration (name) values ('999-future')");
    expect(await fixture.convene('follow-ups', 'list')).toMatchObject({
      code: 1,
      err: expect.stringContaining('newer version'),
    });
  });
});
