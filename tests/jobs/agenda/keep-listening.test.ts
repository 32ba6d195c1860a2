import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keepListening, type Listening } from '../../../src/jobs/agenda/keep-listening.js';
import { createTestDatabase, type TestDatabase, withClient } from '../../support/database.js';
import { until } from '../../support/until.js';

let database: TestDatabase;
let listening: Listening;
let heard: string[];
let errors: unknown[];

beforeEach(async () => {
  [heard, errors] = [[], []];
  database = await createTestDatabase();
  listening = keepListening({
    connection: { connectionString: database.url },
    channel: 'news',
    onNotice: (payload) => { heard.push(payload); },
    onError: (error) => { errors.push(error); },
  });
});
afterEach(async () => {
  await listening.stop();
  await database.drop();
});

/** What is notified before it listens is not heard, so it is said again. */
async function hears(news: string): Promise<void> {
  await until(`it hears ${news}`, async () => {
    await withClient(database.url, (client) => client.query('select pg_notify($1, $2)', ['news', news]));
    return heard.includes(news);
  });
}

describe('keeping on listening', () => {
  it('hears what is notified, also after the server has ended the connection', async () => {
    await hears('one');
    for (const news of ['two', 'three']) {
      await withClient(database.url, (client) =>
        client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'),
      );
      await hears(news);
    }
    expect(errors).toHaveLength(2);
  });

  it('closes its connection when it stops', async () => {
    await hears('one');

    await listening.stop();

    const { rowCount } = await withClient(database.url, (client) =>
      client.query('select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'),
    );
    expect(rowCount).toBe(0);
    expect(errors).toEqual([]);
  });
});
