import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createNotificationPublisher } from '../../../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { waitUntil } from '../../support/wait-until.js';

const CHANNEL = 'convene_test';

let database: TestDatabase;
let pool: pg.Pool;
let listener: pg.Client;
const received: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  await listener.query(`listen ${CHANNEL}`);
  listener.on('notification', ({ payload }) => received.push(payload ?? ''));
});

beforeEach(() => {
  received.length = 0;
});

afterAll(async () => {
  await listener.end();
  await pool.end();
  await database.drop();
});

describe('NotificationPublisher', () => {
  it('sends every payload before flush() resolves', async () => {
    const publisher = createNotificationPublisher({
      pool,
      channel: CHANNEL,
      onError: (error) => {
        throw error;
      },
    });
    const payloads = Array.from({ length: 100 }, (_, index) => `p${index}`);
    for (const payload of payloads) publisher.publish(payload);
    await publisher.flush();
    await waitUntil('all payloads', () => received.length === 100);
    expect(received).toEqual(payloads);
  });

  it('sends the payloads that are published during a query as one batch', async () => {
    let sent = 0;
    const countingPool = {
      query: (text: string, values: unknown[]) => {
        sent += 1;
        return pool.query(text, values);
      },
    } as unknown as pg.Pool;
    const publisher = createNotificationPublisher({
      pool: countingPool,
      channel: CHANNEL,
      onError: (error) => {
        throw error;
      },
    });
    for (let index = 0; index < 100; index += 1) publisher.publish('same');
    await publisher.flush();
    await waitUntil('the payload', () => received.length === 2);
    expect(sent).toBe(2);
  });

  it('flushes immediately when nothing was published', async () => {
    await expect(
      createNotificationPublisher({ pool, channel: CHANNEL, onError: () => undefined }).flush(),
    ).resolves.toBeUndefined();
  });

  it('reports a failure and sends later payloads', async () => {
    const errors: unknown[] = [];
    const publisher = createNotificationPublisher({ pool, channel: CHANNEL, onError: (error) => errors.push(error) });
    publisher.publish('x'.repeat(8_000));
    await publisher.flush();
    expect(errors).toEqual([expect.objectContaining({ message: 'payload string too long' })]);
    publisher.publish('short');
    await publisher.flush();
    await waitUntil('the payload', () => received.length === 1);
    expect(received).toEqual(['short']);
  });
});
