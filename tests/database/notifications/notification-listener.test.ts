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

interface Heard {
  readonly looks: PollTrigger[];
  readonly failures: unknown[];
  readonly worked: { times: number };
  readonly listener: NotificationListener;
}

async function listen(
  options: { url?: string; lookEveryMs?: number; look?: (why: PollTrigger) => Promise<void> } = {},
): Promise<Heard> {
  const looks: PollTrigger[] = [];
  const failures: unknown[] = [];
  const worked = { times: 0 };
  const listener = await startNotificationListener({
    url: options.url ?? database.url,
    channel: CHANNEL,
    pollIntervalMs: options.lookEveryMs ?? 60_000,
    health: {
      reportFailure: (error) => failures.push(error),
      reportSuccess: () => {
        worked.times += 1;
      },
    },
    poll: async (read, why) => {
      looks.push(why);
      expect(await read(NUMBER, [])).toEqual([{ n: 1 }]);
      await options.look?.(why);
    },
  });
  opened.push(listener);
  return { looks, failures, worked, listener };
}

async function send(...payloads: readonly string[]): Promise<void> {
  await sender.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [CHANNEL, payloads]);
}

function listeners(): Promise<{ pid: number }[]> {
  return withClient(database.url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and application_name = $1',
      [`convene ${CHANNEL}`],
    );
    return rows;
  });
}

async function cutOff(): Promise<void> {
  for (const { pid } of await listeners()) await sender.query('select pg_terminate_backend($1)', [pid]);
}

describe('a listener', () => {
  it('has looked once by the time it is started', async () => {
    const { looks, listener, worked } = await listen();
    expect(looks).toEqual([{ kind: 'first', payloads: [] }]);
    expect(worked.times).toBe(1);
    expect(listener.stalenessMs()).toBeLessThan(1_000);
  });

  it('looks when something is notified, and is told each payload once', async () => {
    const { looks } = await listen();
    await send('a', 'b', 'a');
    await waitUntil('both were heard', () => looks.flatMap(({ payloads }) => payloads).length === 2);
    expect(looks.slice(1).flatMap(({ payloads }) => payloads)).toEqual(['a', 'b']);
    expect(looks.slice(1).every(({ kind }) => kind === 'notice')).toBe(true);
  });

  it('gathers what is notified while it looks, and loses none of it', async () => {
    let running = 0;
    let most = 0;
    const { looks } = await listen({
      look: async () => {
        running += 1;
        most = Math.max(most, running);
        await sender.query('select 1');
        running -= 1;
      },
    });
    const payloads = Array.from({ length: 200 }, (_, index) => String(index));
    await Promise.all(payloads.map((payload) => send(payload)));
    await waitUntil('all were heard', () => new Set(looks.flatMap(({ payloads }) => payloads)).size === 200);
    expect(most).toBe(1);
    expect(looks.length).toBeLessThan(201);
  });

  it('looks regularly although nothing is heard, and although much is', async () => {
    const { looks } = await listen({ lookEveryMs: 20 });
    const isDone = (): boolean => looks.filter(({ kind }) => kind === 'regular').length >= 5;
    while (!isDone()) await send('noise');
    expect(looks.filter(({ kind }) => kind === 'notice').length).toBeGreaterThan(0);
  });

  it('does not count a look after a notice as one that missed nothing', async () => {
    const { listener, looks } = await listen();
    await send('a');
    await waitUntil('it was heard', () => looks.length === 2);
    const before = listener.stalenessMs();
    await send('b');
    await waitUntil('it was heard', () => looks.length === 3);
    expect(listener.stalenessMs()).toBeGreaterThan(before);
  });

  it('listens on a new connection after the server has ended the old one', async () => {
    const { looks, failures, listener } = await listen();
    await cutOff();
    await waitUntil('it looked again', () => looks.length === 2);
    expect(looks[1]).toEqual({ kind: 'first', payloads: [] });
    expect(failures).toHaveLength(1);
    await send('after');
    await waitUntil('it hears again', () => looks.length === 3);
    expect(looks[2]?.payloads).toEqual(['after']);
    expect(listener.stalenessMs()).toBeLessThan(5_000);
  });

  it('begins anew on another connection when a look fails', async () => {
    let fails = true;
    const { looks, failures, listener } = await listen({
      look: () => (fails ? Promise.reject(new Error('no')) : Promise.resolve()),
    });
    expect(listener.stalenessMs()).toBe(Infinity);
    fails = false;
    await waitUntil('a look succeeded', () => listener.stalenessMs() < Infinity);
    expect(looks.every(({ kind }) => kind === 'first')).toBe(true);
    expect(failures).toEqual(expect.arrayContaining([new Error('no')]));
    expect(await listeners()).toHaveLength(1);
  });

  it('starts while the server cannot be reached, says so, and finds it later', async () => {
    const proxy = await startFaultProxy(database.url);
    proxy.disconnect();
    const { failures, listener, looks } = await listen({ url: proxy.url });
    expect(failures.length).toBeGreaterThan(0);
    expect(listener.stalenessMs()).toBe(Infinity);
    proxy.restore();
    await waitUntil('it has looked', () => listener.stalenessMs() < 5_000);
    expect(looks).toHaveLength(1);
    await listener.stop();
    await proxy.stop();
  });

  it('gives up a connection on which nothing is answered any more', async () => {
    const proxy = await startFaultProxy(database.url);
    const { failures, listener } = await listen({ url: proxy.url, lookEveryMs: 50 });
    proxy.blackhole();
    await waitUntil('a look has failed', () => failures.length > 0);
    expect(listener.stalenessMs()).toBeGreaterThan(1_500);
    proxy.restore();
    await waitUntil('it looks again', () => listener.stalenessMs() < 500);
    await listener.stop();
    await proxy.stop();
    // Of what was swallowed the server has not heard.
    await cutOff();
  });

  it('stops although nothing is answered any more', async () => {
    const proxy = await startFaultProxy(database.url);
    const { listener } = await listen({ url: proxy.url });
    proxy.blackhole();
    await listener.stop();
    await proxy.stop();
    await cutOff();
  });

  it('leaves no connection behind when it is stopped, in the middle of a look or between two', async () => {
    for (const lookEveryMs of [1, 60_000]) {
      const { listener } = await listen({ lookEveryMs });
      await listener.stop();
      await waitUntil('its connection is closed', async () => (await listeners()).length === 0);
    }
  });
});
