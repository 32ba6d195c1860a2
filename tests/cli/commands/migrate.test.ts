import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MIGRATIONS } from '../../../src/database/migrations/index.js';
import { withClient } from '../../support/database.js';
import { createCliFixture, type CliFixture } from '../fixtures/cli-fixture.js';

let world: CliFixture;
beforeEach(async () => {
  world = await createCliFixture({ empty: true });
});
afterEach(() => world.close());

async function pretend(sql: string): Promise<void> {
  await withClient(world.databaseUrl, (client) => client.query(sql));
}

describe('convene migrate', () => {
  it('brings a new database up to date, and then finds nothing to do', async () => {
    const { code, out } = await world.convene('migrate');
    expect(code).toBe(0);
    expect(out).toMatch(/^Brought up to date: 001-accounts, 002-groups, /);
    expect(out.split(', ')).toHaveLength(MIGRATIONS.length);
    expect(await world.convene('migrate')).toEqual({ code: 0, out: 'The database is up to date.', err: '' });
  });

  it('leaves the database of a newer version alone', async () => {
    await world.convene('migrate');
    await pretend("insert into migration (name) values ('999-future')");
    const { code, err } = await world.convene('migrate');
    expect([code, err]).toEqual([
      1,
      'The database belongs to a newer version of Convene than this command (it has 999-future): use that version.',
    ]);
  });
});

describe('any other command', () => {
  it('does not migrate behind the back of whoever runs the database', async () => {
    const { code, err } = await world.convene('admin', 'grant', 'ada');
    expect(code).toBe(1);
    expect(err).toMatch(/^The database lacks 001-accounts, .*: run "convene migrate" first\.$/);
    await withClient(world.databaseUrl, async (client) => {
      expect((await client.query("select from pg_tables where schemaname = 'public'")).rowCount).toBe(0);
    });
  });

  it('does not work on the database of a newer version', async () => {
    await world.convene('migrate');
    await pretend("insert into migration (name) values ('999-future')");
    expect(await world.convene('follow-ups', 'list')).toMatchObject({
      code: 1,
      err: expect.stringContaining('newer version'),
    });
  });
});
