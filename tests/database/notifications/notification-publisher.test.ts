import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createNotificationPublisher } from '../../../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { waitUntil } from '../../support/wait-until.js';

const CHANNEL = 'convene_test';

let database: TestDatabase;
let pool: pg.Pool;
let listening: pg.Client;
const heard: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  listening = new pg.Client({ connectionString: database.url });
  await listening.connect();
  await listening.query(`listen ${CHANNEL}`);
  listening.on('notification', ({ payload }) => heard.push(payload ?? ''));
});

beforeEach(() => {
  heard.length = 0;
});

afterAll(async () => {
  await listening.end();
  await pool.end();
  await database.drop();
});

describe('an announcer', () => {
  it('sends every payload, and is settled when all are sent', async () => {
    const announcer = createNotificationPublisher({
      pool,
      channel: CHANNEL,
      onError: (error) => {
        throw error;
      },
    });
    const payloads = Array.from({ length: 100 }, (_, index) => `p${index}`);
    for (const payload of payloads) announcer.publish(payload);
    await announcer.flush();
    await waitUntil('all were heard', () => heard.length === 100);
    expect(heard).toEqual(payloads);
  });

  it('sends as one what is announced while a notice is on its way', async () => {
    let sent = 0;
    const counting = {
      query: (text: string, values: unknown[]) => {
        sent += 1;
        return pool.query(text, values);
      },
    } as unknown as pg.Pool;
    const announcer = createNotificationPublisher({
      pool: counting,
      channel: CHANNEL,
      onError: (error) => {
        throw error;
      },
    });
    for (let index = 0; index < 100; index += 1) announcer.publish('same');
    await announcer.flush();
    await waitUntil('it was heard', () => heard.length === 2);
    expect(sent).toBe(2);
  });

  it('is settled at once when there is nothing to send', async () => {
    await expect(
      createNotificationPublisher({ pool, channel: CHANNEL, onError: () => undefined }).flush(),
    ).resolves.toBeUndefined();
  });

  it('tells of a failure and goes on', async () => {
    const errors: unknown[] = [];
    const announcer = createNotificationPublisher({ pool, channel: CHANNEL, onError: (error) => errors.push(error) });
    announcer.publish('x'.repeat(8_000));
    await announcer.flush();
    expect(errors).toEqual([expect.objectContaining({ message: 'payload string too long' })]);
    announcer.publish('short');
    await announcer.flush();
    await waitUntil('it was heard', () => heard.length === 1);
    expect(heard).toEqual(['short']);
  });
});
