import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  startNotificationListener,
  statement,
  type NotificationListener,
  type PollTrigger,
} from '../../../src/database/index.js';
import { startFaultProxy } from '../../support/database/fault-proxy.js';
import { createTestDatabase, withClient, type TestDatabase } from '../../support/database/test-database.js';
import { waitUntil } from '../../support/wait-until.js';

const CHANNEL = 'convene_test';
const NUMBER = statement<{ n: number }>('number', 'select 1 as n');

let database: TestDatabase;
let sender: pg.Pool;
const opened: NotificationListener[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  sender = new pg.Pool({ connectionString: database.url });
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((listener) => listener.stop()));
});

afterAll(async () => {
  await sender.end();
  await database.drop();
});

interface ListenerFixture {
  readonly polls: PollTrigger[];
  readonly failures: unknown[];
  readonly successes: { count: number };
  readonly listener: NotificationListener;
}

async function listen(
  options: { url?: string; pollIntervalMs?: number; onPoll?: (trigger: PollTrigger) => Promise<void> } = {},
): Promise<ListenerFixture> {
  const polls: PollTrigger[] = [];
  const failures: unknown[] = [];
  const successes = { count: 0 };
  const listener = await startNotificationListener({
    url: options.url ?? database.url,
    channel: CHANNEL,
    pollIntervalMs: options.pollIntervalMs ?? 60_000,
    health: {
      reportFailure: (error) => failures.push(error),
      reportSuccess: () => {
        successes.count += 1;
      },
    },
    poll: async (query, trigger) => {
      polls.push(trigger);
      expect(await query(NUMBER, [])).toEqual([{ n: 1 }]);
      await options.onPoll?.(trigger);
    },
  });
  opened.push(listener);
  return { polls, failures, successes, listener };
}

async function send(...payloads: readonly string[]): Promise<void> {
  await sender.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [CHANNEL, payloads]);
}

function findBackends(): Promise<{ pid: number }[]> {
  return withClient(database.url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and application_name = $1',
      [`convene ${CHANNEL}`],
    );
    return rows;
  });
}

async function terminateBackends(): Promise<void> {
  for (const { pid } of await findBackends()) await sender.query('select pg_terminate_backend($1)', [pid]);
}

describe('NotificationListener', () => {
  it('polls once before it is returned', async () => {
    const { polls, listener, successes } = await listen();
    expect(polls).toEqual([{ kind: 'connect', payloads: [] }]);
    expect(successes.count).toBe(1);
    expect(listener.stalenessMs()).toBeLessThan(1_000);
  });

  it('polls after notifications, with each payload once', async () => {
    const { polls } = await listen();
    await send('a', 'b', 'a');
    await waitUntil('both payloads', () => polls.flatMap(({ payloads }) => payloads).length === 2);
    expect(polls.slice(1).flatMap(({ payloads }) => payloads)).toEqual(['a', 'b']);
    expect(polls.slice(1).every(({ kind }) => kind === 'notification')).toBe(true);
  });

  it('batches the notifications that arrive during a poll, and loses none', async () => {
    let running = 0;
    let maxRunning = 0;
    const { polls } = await listen({
      onPoll: async () => {
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await sender.query('select 1');
        running -= 1;
      },
    });
    const payloads = Array.from({ length: 200 }, (_, index) => String(index));
    await Promise.all(payloads.map((payload) => send(payload)));
    await waitUntil('all payloads', () => new Set(polls.flatMap(({ payloads }) => payloads)).size === 200);
    expect(maxRunning).toBe(1);
    expect(polls.length).toBeLessThan(201);
  });

  it('polls every interval, also while notifications arrive', async () => {
    const { polls } = await listen({ pollIntervalMs: 20 });
    const isDone = (): boolean => polls.filter(({ kind }) => kind === 'interval').length >= 5;
    while (!isDone()) await send('noise');
    expect(polls.filter(({ kind }) => kind === 'notification').length).toBeGreaterThan(0);
  });

  it('does not reset the staleness by a poll after a notification', async () => {
    const { listener, polls } = await listen();
    await send('a');
    await waitUntil('the notification', () => polls.length === 2);
    const before = listener.stalenessMs();
    await send('b');
    await waitUntil('the notification', () => polls.length === 3);
    expect(listener.stalenessMs()).toBeGreaterThan(before);
  });

  it('reconnects when the server ends the connection', async () => {
    const { polls, failures, listener } = await listen();
    await terminateBackends();
    await waitUntil('another poll', () => polls.length === 2);
    expect(polls[1]).toEqual({ kind: 'connect', payloads: [] });
    expect(failures).toHaveLength(1);
    await send('after');
    await waitUntil('the notification', () => polls.length === 3);
    expect(polls[2]?.payloads).toEqual(['after']);
    expect(listener.stalenessMs()).toBeLessThan(5_000);
  });

  it('reconnects when a poll fails', async () => {
    let fails = true;
    const { polls, failures, listener } = await listen({
      onPoll: () => (fails ? Promise.reject(new Error('no')) : Promise.resolve()),
    });
    expect(listener.stalenessMs()).toBe(Infinity);
    fails = false;
    await waitUntil('a successful poll', () => listener.stalenessMs() < Infinity);
    expect(polls.every(({ kind }) => kind === 'connect')).toBe(true);
    expect(failures).toEqual(expect.arrayContaining([new Error('no')]));
    expect(await findBackends()).toHaveLength(1);
  });

  it('starts while the server is unreachable, reports failures, and connects later', async () => {
    const proxy = await startFaultProxy(database.url);
    proxy.disconnect();
    const { failures, listener, polls } = await listen({ url: proxy.url });
    expect(failures.length).toBeGreaterThan(0);
    expect(listener.stalenessMs()).toBe(Infinity);
    proxy.restore();
    await waitUntil('a poll', () => listener.stalenessMs() < 5_000);
    expect(polls).toHaveLength(1);
    await listener.stop();
    await proxy.stop();
  });

  it('reconnects when the server stops responding', async () => {
    const proxy = await startFaultProxy(database.url);
    const { failures, listener } = await listen({ url: proxy.url, pollIntervalMs: 50 });
    proxy.blackhole();
    await waitUntil('a failed poll', () => failures.length > 0);
    expect(listener.stalenessMs()).toBeGreaterThan(1_500);
    proxy.restore();
    await waitUntil('another poll', () => listener.stalenessMs() < 500);
    await listener.stop();
    await proxy.stop();
    // The server has not received the end of the first connection.
    await terminateBackends();
  });

  it('stops while the server does not respond', async () => {
    const proxy = await startFaultProxy(database.url);
    const { listener } = await listen({ url: proxy.url });
    proxy.blackhole();
    await listener.stop();
    await proxy.stop();
    await terminateBackends();
  });

  it('closes its connection when stopped during a poll or between polls', async () => {
    for (const pollIntervalMs of [1, 60_000]) {
      const { listener } = await listen({ pollIntervalMs });
      await listener.stop();
      await waitUntil('its connection to close', async () => (await findBackends()).length === 0);
    }
  });
});
