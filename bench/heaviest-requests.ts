/**
 * Measures what the heaviest accepted requests do to other users: the latency of `me` while another user sends them in
 * a loop, the longest block of the main thread, and the memory of one request.
 *
 *   npm run bench:heaviest-requests
 *
 * Times depend on what else the machine does. The turns of the event loop that pass while a `me` is under way do not.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { newId } from '../src/accounts/index.js';
import type { App } from '../src/app.js';
import { goodAnswer, quantile, statementsOf, timed, withService } from './measure.js';

const SECONDS = Number(process.argv[2] ?? 8);
const GROUPS = 1_000;
const SOLE_GROUPS = 600;
const MEMBERS = 1_000;
const CHANGES = 20_000;
const MIB = 1_024 * 1_024;
const AIM = 3;

interface Heavy {
  readonly name: string;
  readonly query: string;
  readonly variables?: object;
}

const COUNTERS = 'pending_count, accepted_count, tentative_count, declined_count, open_invitations, lapsed_invitations';
const MEMBER = 'role status invitedAt respondedAt revision user { id username displayName createdAt }';

function aliases(count: number, field: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `a${index}: ${field(index)}`).join(' ');
}

function heavyRequests(groupId: string): Heavy[] {
  const groupQuery = (fields: string): string => `{ group(id: "${groupId}") { ${fields} } }`;
  return [
    {
      name: 'one page of 1,000 with 11 fields of each',
      query: groupQuery(`members(first: 1000) { nodes { ${MEMBER} } }`),
    },
    {
      name: '20 equal pages of 1,000, pageInfo only',
      query: groupQuery(aliases(20, () => 'members(first: 1000) { pageInfo { hasNextPage } }')),
    },
    {
      name: '20 different pages of 1,000',
      query: groupQuery(aliases(20, (index) => `members(first: ${1_000 - index}) { pageInfo { endCursor } }`)),
    },
    {
      name: '1,000 groups, pages of 1 in each',
      query:
        '{ me { memberships(first: 1000) { nodes { group { a: members(first: 1) { nodes { status } } b: ' +
        'members(first: 2) { nodes { status } } history(first: 1) { nodes { cause } } scoreHistory(first: 1) { ' +
        'nodes { value } } } } } } }',
    },
    {
      name: '150 groups, pages of 50 in each',
      query:
        '{ me { memberships(first: 150) { nodes { group { members(first: 50) { nodes { status revision } } } } } } }',
    },
    {
      name: '1,000 members, who invited them, their group and score',
      query: groupQuery(`members(first: 1000) { nodes {
        user { username } invitedBy { username displayName }
        group {
          name state compatibilityScore { value source } viewerMembership { status user { username } }
          responseCounts { accepted pending }
        }
      } }`),
    },
    {
      name: '24,000 fields of one page',
      query: groupQuery(`members(first: 1000) { nodes { ${aliases(20, () => 'status')} revision role } }`),
    },
    { name: 'two exports', query: '{ me { a: export b: export } }' },
    {
      name: 'deletion preview, 10 times 90 groups',
      query: `{ me { ${aliases(
        10,
        () =>
          'deletionPreview { blockingGroups(first: 90) { ' +
          'id name state memberCount members(first: 5) { nodes { status user { username } } } } }',
      )} } }`,
    },
    {
      name: 'deletion preview, 600 groups',
      query:
        '{ me { deletionPreview { blockingGroupCount blockingGroups(first: 1000) { id name members(first: 5) { ' +
        'nodes { status } } } } } }',
    },
  ].map(({ name, query }) => ({ name, query }));
}

interface Seeded {
  readonly heavy: string;
  readonly light: string;
  readonly groupId: string;
  readonly heavyId: string;
}

async function seed({ database: { pool }, accounts }: App): Promise<Seeded> {
  const [heavyId, lightId] = [newId(), newId()];
  await pool.query(
    `insert into account (id, username, username_key, password_hash, created_at)
    select id, 'u-' || n, 'u-' || n, 'none', now() from unnest($1::uuid[]) with ordinality as u (id, n)`,
    [[heavyId, lightId, ...Array.from({ length: MEMBERS }, newId)]],
  );
  const groupIds = Array.from({ length: GROUPS + SOLE_GROUPS }, newId);
  const groupId = groupIds[0] ?? '';
  await pool.query(
    `insert into groups (id, name, state, state_changed_at, created_at, revision, answers_revision, ${COUNTERS})
    select id, 'Supper club', 'FORMING', now(), now(), 1, 1, case n when 1 then $2 else 60 end, 0, 0, 0, 0, 0
    from unnest($1::uuid[]) with ordinality as g (id, n)`,
    [groupIds, MEMBERS],
  );
  await pool.query(
    `insert into member (group_id, user_id, role, status, invited_by_id, invited_at, revision)
    select g.id, $2, case when g.n > $3 then 'OWNER' else 'MEMBER' end, 'PENDING', null, now(), 1
    from unnest($1::uuid[]) with ordinality as g (id, n)`,
    [groupIds, heavyId, GROUPS],
  );
  await pool.query(
    `insert into member (group_id, user_id, role, status, invited_by_id, invited_at, revision)
    select g.id, a.id, case when g.n <= $2 and a.n = 1 then 'OWNER' else 'MEMBER' end, 'PENDING', $3, now(), 1
    from unnest($1::uuid[]) with ordinality as g (id, n)
    join (select id, row_number() over (order by id) as n from account where id <> $3 and id <> $4) a
      on a.n <= case g.n when 1 then $5 - 1 else 59 end`,
    [groupIds, GROUPS, heavyId, lightId, MEMBERS],
  );
  await pool.query(
    `insert into group_change
      (group_id, revision, cause, actor_id, subject_id, status, state_before, state_after, at, ${COUNTERS})
    select $1, n + 1, 'RENAMED', $2, null, null, 'FORMING', 'FORMING', now(), 1, 0, 0, 0, 0, 0
    from generate_series(0, $3) n`,
    [groupId, heavyId, CHANGES],
  );
  await pool.query('update groups set revision = $2 where id = $1', [groupId, CHANGES + 1]);
  await pool.query('analyze');
  const token = async (userId: string): Promise<string> => {
    const sessionId = newId();
    await pool.query(
      'insert into session (id, user_id, created_at, rotated_at, expires_at) values ($1, $2, now(), now(), now() + ' +
        '$3::interval)',
      [sessionId, userId, '1 day'],
    );
    return accounts.accessTokens.sign({ userId, sessionId, roles: ['USER'] }).accessToken;
  };
  return { heavy: await token(heavyId), light: await token(lightId), groupId, heavyId };
}

/** Queries `me` in a loop, in a thread of its own, so that reading large responses does not count. */
const PROBE = `
const { parentPort, workerData: { base, token } } = require('node:worker_threads');
const http = require('node:http');
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const body = JSON.stringify({ query: '{ me { id username } }' });
const ask = () => new Promise((resolve, reject) => {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + token };
  const request = http.request(base + '/graphql', { method: 'POST', agent, headers }, (answer) => {
    answer.resume();
    answer.on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(String(answer.statusCode)))));
  });
  request.on('error', reject);
  request.end(body);
});
let isOn = true;
parentPort.on('message', () => { isOn = false; });
(async () => {
  const times = [];
  while (isOn) {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  parentPort.postMessage(times);
  process.exit(0);
})();`;

/** Sends requests in a loop until it is stopped, in a thread of its own. */
const SENDER = `
const { parentPort, workerData: { base, token, query } } = require('node:worker_threads');
let isOn = true;
parentPort.on('message', () => { isOn = false; });
const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + token };
(async () => {
  let sent = 0; let bytes = 0;
  while (isOn) {
    const answer = await fetch(base + '/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
    const text = await answer.text();
    if (!answer.ok || text.includes('"errors":')) throw new Error(answer.status + text.slice(0, 300));
    sent += 1; bytes = text.length;
  }
  parentPort.postMessage({ sent, bytes });
  process.exit(0);
})();`;

/** Holds many subscriptions until it is stopped, in a thread of its own. */
const LISTENERS = `
const { parentPort, workerData: { base, token, query, count } } = require('node:worker_threads');
const http = require('node:http');
let events = 0;
let open = 0;
const headers = {
  accept: 'text/event-stream', 'content-type': 'application/json', authorization: 'Bearer ' + token,
};
for (let index = 0; index < count; index += 1) {
  const request = http.request(base + '/graphql', { method: 'POST', agent: false, headers }, (answer) => {
    open += 1;
    if (open === count) parentPort.postMessage('open');
    answer.on('data', (chunk) => { events += chunk.toString().split('event: next').length - 1; });
  });
  request.on('error', () => undefined);
  request.end(JSON.stringify({ query }));
}
parentPort.on('message', () => { parentPort.postMessage({ events }); setTimeout(() => process.exit(0), 50); });`;

interface Thread {
  readonly worker: Worker;
  stop(): Promise<unknown>;
}

function startThread(source: string, workerData: object): Thread {
  const worker = new Worker(source, { eval: true, workerData });
  return {
    worker,
    stop: () =>
      new Promise((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.postMessage('stop');
      }),
  };
}

interface Probed {
  readonly times: readonly number[];
  /** Of each `me`: the turns of the event loop that passed while it was under way. */
  readonly turns: readonly number[];
}

async function probe(base: string, token: string): Promise<Probed> {
  const turns: number[] = [];
  turnsOf = { authorization: `Bearer ${token}`, turns };
  const thread = startThread(PROBE, { base, token });
  await sleep(SECONDS * 1_000);
  return { times: (await thread.stop()) as number[], turns };
}

/** Whose requests are counted in turns now. */
let turnsOf: { readonly authorization: string; readonly turns: number[] } | undefined;

function countTurns(): void {
  const begun = new WeakMap<IncomingMessage, number>();
  const requestOf = (message: unknown): IncomingMessage => (message as { readonly request: IncomingMessage }).request;
  const turn = (): number => performance.nodeTiming.uvMetricsInfo.loopCount;
  subscribe('http.server.request.start', (message) => {
    const request = requestOf(message);
    if (request.headers.authorization === turnsOf?.authorization) begun.set(request, turn());
  });
  subscribe('http.server.response.finish', (message) => {
    const start = begun.get(requestOf(message));
    if (start !== undefined) turnsOf?.turns.push(turn() - start);
  });
}

async function measure(service: App, base: string): Promise<void> {
  const seeded = await seed(service);
  countTurns();
  const idle = await probe(base, seeded.light);
  const again = await probe(base, seeded.light);
  const [p99, p99Again] = [quantile(idle.times, 0.99), quantile(again.times, 0.99)];
  const calm = Math.max(p99, p99Again);
  console.log(
    `idle: p99 of me ${p99.toFixed(1)} and ${p99Again.toFixed(1)} ms; ` +
      `turns of me p50 ${quantile(idle.turns, 0.5)}, p99 ${quantile(idle.turns, 0.99)}\n`,
  );
  console.log(
    '| request, one after the other | answer, MiB | alone, ms | longest block, ms | SQL statements | p50 of me, ms | ' +
      'p99 of me, ms | of idle | turns of me, p50 | p99 | RSS grows by, MiB |\n' +
      '|---|---|---|---|---|---|---|---|---|---|---|',
  );
  for (const heavy of heavyRequests(seeded.groupId).filter(({ name }) => name.includes(process.argv[3] ?? '')))
    await measureOne(base, seeded, heavy, calm);
  await measureSubscriptions(service, base, seeded, calm);
}

async function measureOne(
  base: string,
  { heavy: token, light }: Seeded,
  { name, query }: Heavy,
  calm: number,
): Promise<void> {
  const send = async (): Promise<string> =>
    goodAnswer(
      await fetch(`${base}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ query }),
      }),
    );
  try {
    const statements = await statementsOf(send);
    const one = await memoryOf(send);
    const sender = startThread(SENDER, { base, token, query });
    const times = await probe(base, light);
    await sender.stop();
    console.log(row(name, one, statements, times, calm));
  } catch (error) {
    console.log(`| ${name} | refused: ${error instanceof Error ? error.message.slice(0, 160) : ''} |`);
  }
}

function row(
  name: string,
  { bytes, ms, grown, blockMs }: Measured,
  statements: number | string,
  { times, turns }: Probed,
  calm: number,
): string {
  const p99 = quantile(times, 0.99);
  return (
    `| ${name} | ${(bytes / MIB).toFixed(2)} | ${ms.toFixed(0)} | ${blockMs.toFixed(1)} | ` +
    `${String(statements)} | ${quantile(times, 0.5).toFixed(1)} | ${p99.toFixed(1)} | ` +
    `${(p99 / calm).toFixed(1)}${p99 / calm > AIM ? ' (!)' : ''} | ` +
    `${quantile(turns, 0.5)} | ${quantile(turns, 0.99)} | ${(grown / MIB).toFixed(0)} |`
  );
}

interface Measured {
  readonly grown: number;
  readonly ms: number;
  readonly bytes: number;
  readonly blockMs: number;
}

/** The client runs in this process too, so the service alone takes less. */
async function memoryOf(send: () => Promise<string>): Promise<Measured> {
  globalThis.gc?.();
  await sleep(200);
  const before = process.memoryUsage().rss;
  let peak = before;
  const watching = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  let bytes = 0;
  const ms = await timed(async () => {
    bytes = (await send()).length;
  });
  clearInterval(watching);
  return { grown: Math.max(peak, process.memoryUsage().rss) - before, ms, bytes, blockMs: await longestBlock(send) };
}

/**
 * Longest time that the main thread worked without an event-loop iteration: its own processor time, so that the load of
 * the machine does not count, or the elapsed time where that is less, because some systems count processor time in
 * steps of 4 ms.
 */
async function longestBlock(send: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  const look = (cpuBefore: number, before: number): void => {
    const [cpu, now] = [threadMs(), performance.now()];
    longest = Math.max(longest, Math.min(cpu - cpuBefore, now - before));
    if (!isOver) setImmediate(look, cpu, now);
  };
  setImmediate(look, threadMs(), performance.now());
  await send();
  isOver = true;
  return longest;
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

async function measureSubscriptions(
  service: App,
  base: string,
  { heavy: token, light, groupId, heavyId }: Seeded,
  calm: number,
): Promise<void> {
  for (const [name, selection] of [
    ['100 subscriptions, members(first: 1000) of each event', `group { members(first: 1000) { nodes { ${MEMBER} } } }`],
    ['100 small subscriptions', 'revision cause group { state acceptedCount }'],
  ] as const) {
    const query = `subscription { groupChanged(groupId: "${groupId}") { ${selection} } }`;
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let peak = before;
    const watching = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    const listeners = startThread(LISTENERS, { base, token, query, count: 100 });
    await new Promise((resolve) => {
      listeners.worker.once('message', resolve);
    });
    let changes = 0;
    const changing = setInterval(() => {
      changes += 1;
      void change(service, groupId, heavyId);
    }, 200);
    const times = await probe(base, light);
    clearInterval(changing);
    const { events } = (await listeners.stop()) as { events: number };
    clearInterval(watching);
    console.log(
      row(
        `${name}: ${changes} changes, ${events} events delivered`,
        { bytes: 0, ms: 0, blockMs: 0, grown: peak - before },
        '',
        times,
        calm,
      ),
    );
    await sleep(500);
  }
}

async function change({ database: { pool }, groups }: App, groupId: string, actorId: string): Promise<void> {
  const {
    rows: [row_],
  } = await pool.query<{ revision: number }>(
    'update groups set revision = revision + 1 where id = $1 returning revision',
    [groupId],
  );
  const revision = row_?.revision ?? 0;
  await pool.query(
    `insert into group_change
      (group_id, revision, cause, actor_id, subject_id, status, state_before, state_after, at, ${COUNTERS})
    values ($1, $2, 'RENAMED', $3, null, null, 'FORMING', 'FORMING', now(), 1, 0, 0, 0, 0, 0)`,
    [groupId, revision, actorId],
  );
  groups.changeFeed.publish(groupId, revision);
}

await withService(measure);
