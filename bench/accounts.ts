/**
 * Measures logins, registrations and refreshes relative to the bare password hash, and `me` during a flood of logins.
 *
 *   npm run bench:accounts          5 rounds
 *   npm run bench:accounts -- 20    20 rounds
 *
 * The reference is the bare hash in the same process, with the concurrency of the service. Rounds are interleaved, and
 * ratios are taken within a round. Clients, service and database share the processor cores.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../src/app.js';
import { goodAnswer, median, quantile, statementsOf, timed, withService } from './measure.js';

const CLIENTS = 32;
const SPELL_MS = 3_000;
const QUIET_READS = 2_000;
const PASSWORD = 'a password of the benchmark';
/** Much shorter than a round. */
const LOOK_EVERY_MS = 50;

const rounds = Number(process.argv[2] ?? 5);
await withService(measure);

interface Clients {
  post(path: string, body: object): Promise<string>;
  me(accessToken: string): Promise<string>;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

async function measure(service: App, base: string): Promise<void> {
  const clients: Clients = {
    post: async (path, body) =>
      goodAnswer(
        await fetch(base + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    me: async (accessToken) =>
      goodAnswer(await fetch(`${base}/api/auth/me`, { headers: { authorization: `Bearer ${accessToken}` } })),
  };
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, client) =>
      clients.post('/api/auth/register', { username: usernameOf(client), password: PASSWORD }),
    ),
  );
  await throughput(service, clients);
  await others(clients);
  await statements(clients);
}

async function throughput(service: App, clients: Clients): Promise<void> {
  const { hasher } = service.accounts;
  const stored = await hasher.hash(PASSWORD);
  let names = 0;
  const sessions = await Promise.all(Array.from({ length: CLIENTS }, (_, client) => logIn(clients, client)));
  const works = {
    verify: () => hasher.verify(stored, PASSWORD),
    login: (client: number) => logIn(clients, client),
    hash: () => hasher.hash(PASSWORD),
    register: () => clients.post('/api/auth/register', { username: `new-${String((names += 1))}`, password: PASSWORD }),
    refresh: async (client: number) => {
      sessions[client] = await refresh(clients, sessions[client]);
    },
  };
  const rates = {
    verify: [] as number[],
    login: [] as number[],
    hash: [] as number[],
    register: [] as number[],
    refresh: [] as number[],
  };
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of ['verify', 'login', 'hash', 'register', 'refresh'] as const) {
      rates[name].push(await ratePerSecond(works[name]));
      await followUpsDone(service);
    }
    process.stdout.write(`\rround ${String(round)} of ${String(rounds)}`);
  }
  console.log(
    `\r${String(CLIENTS)} clients, medians of ${String(rounds)} interleaved rounds of ${String(SPELL_MS / 1_000)} s\n`,
  );
  console.log('| what | per second | of the bare hash |\n|---|---|---|');
  for (const [name, reference] of [
    ['verify', null],
    ['login', 'verify'],
    ['hash', null],
    ['register', 'hash'],
    ['refresh', null],
  ] as const) {
    const ratio =
      reference === null
        ? ''
        : median(rates[name].map((rate, round) => rate / (rates[reference][round] ?? Number.NaN))).toFixed(2);
    console.log(`| ${name} | ${median(rates[name]).toFixed(0)} | ${ratio} |`);
  }
}

async function ratePerSecond(work: (client: number) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (; performance.now() - start < SPELL_MS; done += 1) await work(client);
    }),
  );
  return done / ((performance.now() - start) / 1_000);
}

function usernameOf(client: number): string {
  return `user-${String(client)}`;
}

async function logIn(clients: Clients, client: number): Promise<Tokens> {
  return JSON.parse(
    await clients.post('/api/auth/token', { username: usernameOf(client), password: PASSWORD }),
  ) as Tokens;
}

async function refresh(clients: Clients, tokens: Tokens | undefined): Promise<Tokens> {
  return JSON.parse(
    await clients.post('/api/auth/token', { grant_type: 'refresh_token', refresh_token: tokens?.refresh_token }),
  ) as Tokens;
}

/** Waits until the follow-ups of registrations are done, so that they do not slow the next measurement. */
async function followUpsDone({ database }: App): Promise<void> {
  const unfinished = `select 1 from outbox_task where status in ('QUEUED', 'RUNNING') limit 1`;
  while ((await database.pool.query(unfinished)).rows.length > 0) await pause(LOOK_EVERY_MS);
}

/** Measures `me` on an idle service, and during a flood of logins. */
async function others(clients: Clients): Promise<void> {
  const { access_token } = await logIn(clients, 0);
  const quiet: number[] = [];
  for (let read = 0; read < QUIET_READS; read += 1) quiet.push(await timed(() => clients.me(access_token)));
  const flooded: number[] = [];
  const flood = { isOver: false };
  const flooding = ratePerSecond((client) => logIn(clients, client)).finally(() => {
    flood.isOver = true;
  });
  while (!flood.isOver) flooded.push(await timed(() => clients.me(access_token)));
  await flooding;
  console.log('\n| `me`, one client | median ms | 99th percentile ms |\n|---|---|---|');
  for (const [name, times] of [
    ['nothing else', quiet],
    [`${String(CLIENTS)} clients log in`, flooded],
  ] as const) {
    console.log(`| ${name} | ${median(times).toFixed(2)} | ${quantile(times, 0.99).toFixed(1)} |`);
  }
}

async function statements(clients: Clients): Promise<void> {
  const tokens = await logIn(clients, 0);
  console.log(
    `\nSQL statements, begin and commit included: login ${String(await statementsOf(() => logIn(clients, 0)))},` +
      `refresh ${String(await statementsOf(() => refresh(clients, tokens)))}, ` +
      `me ${String(await statementsOf(() => clients.me(tokens.access_token)))}`,
  );
}
