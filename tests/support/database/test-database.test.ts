import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createEmptyDatabase, createTestDatabase, withClient } from './test-database.js';

describe('createTestDatabase', () => {
  it('has the current schema', async () => {
    const database = await createTestDatabase();
    expect(await tables(database.url)).toContain('account');
    await database.drop();
  });

  it('has no tables when it is created empty', async () => {
    const database = await createEmptyDatabase();
    expect(await tables(database.url)).toEqual([]);
    await database.drop();
  });

  it('rejects drop() with the open connections, and removes the database', async () => {
    const database = await createTestDatabase();
    const leak = new pg.Client({ connectionString: database.url, application_name: 'a leak' });
    leak.on('error', () => undefined);
    const closed = new Promise((resolve) => leak.once('end', resolve));
    await leak.connect();

    await expect(database.drop()).rejects.toThrow(/still open.*\n- "a leak", idle/);

    await closed;
    await expect(withClient(database.url, () => Promise.resolve())).rejects.toThrow('does not exist');
  });
});

async function tables(url: string): Promise<string[]> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    ),
  );
  return rows.map(({ name }) => name);
}
