#!/usr/bin/env node
/**
 * Lists the source files that a request runs through: `node scripts/walk-request.mjs`.
 *
 * Starts the built service on a temporary data folder, warms each operation up, sends the same request repeatedly, and
 * counts the calls of each function (V8's precise coverage). A function belongs to the request if it ran in more than
 * half of them. This leaves out timers. The calls that the notifications of the requests cause after the response are
 * counted separately, by sending the notifications again without the requests, and subtracted.
 *
 * Prints, for each file, its lines and the lines of its functions that ran.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const DIST = join(ROOT, 'dist/compiled/');
const WARM_UP_REQUESTS = 5;
const COUNTED_REQUESTS = 50;
const CHANNELS = ['convene_group_changes', 'convene_revocations'];
/** Long enough that each notification is received by itself, as those of the requests are. */
const NOTIFICATION_INTERVAL_MS = 10;
/** For the notifications of the last request. */
const SETTLE_MS = 100;

const { buildApp } = await import(join(DIST, 'src/app.js'));
const { loadConfig } = await import(join(DIST, 'src/config/index.js'));
const dataDir = mkdtempSync(join(tmpdir(), 'convene-walk-'));
const app = await buildApp(
  loadConfig(
    {
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'silent',
      NODE_ENV: 'production',
      SERVER_SECRET: randomBytes(32).toString('base64'),
      PUBLIC_URL: 'http://localhost:4000',
      ...databaseUrl(),
    },
    dataDir,
  ),
);
const url = await app.listen();
const session = new Session();
session.connect();
await session.post('Profiler.enable');
const notifications = await listen(app.databaseUrl);

try {
  const token = await logIn();
  const { userId, groupId } = await createGroup(token);
  let accepted = false;
  await walk('PATCH /api/groups/{group_id}/users/{user_id}/status', () =>
    request(`/api/groups/${groupId}/users/${userId}/status`, {
      method: 'PATCH',
      token,
      body: { status: (accepted = !accepted) ? 'tentative' : 'accepted' },
    }),
  );
  await walk('GraphQL me', () => graphql('{ me { id username } }', token));
} finally {
  session.disconnect();
  await notifications.close();
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function walk(name, send) {
  await repeat(WARM_UP_REQUESTS, send);
  const { calls, received } = await countCalls(() => repeat(COUNTED_REQUESTS, send));
  const { calls: later } = await countCalls(() => notifications.send(received));
  const files = [...Map.groupBy(calls.values(), ({ script }) => script)]
    .map(([script, functions]) => measureScript(script, functions.filter(isOfRequest)))
    .filter(({ linesRun }) => linesRun > 0)
    .sort((one, other) => (one.file < other.file ? -1 : 1));
  const sum = (member) => files.reduce((total, each) => total + each[member], 0);
  console.log(`\n${name}: ${files.length} files, ${sum('lines')} lines, ${sum('linesRun')} of functions that ran`);
  for (const { file, lines, linesRun } of files) {
    console.log(`${String(lines).padStart(6)}${String(linesRun).padStart(5)}  ${file}`);
  }

  function isOfRequest({ id, count }) {
    return count - (later.get(id)?.count ?? 0) > COUNTED_REQUESTS / 2;
  }
}

async function repeat(times, send) {
  for (let count = 0; count < times; count += 1) await send();
}

/** Returns how often each function of `src/` ran during `work`, and the notifications of that time. */
async function countCalls(work) {
  notifications.received.length = 0;
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  await setTimeout(SETTLE_MS);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const calls = result
    .filter(({ url: script }) => script.startsWith(`file://${encodeURI(DIST)}`))
    .flatMap(({ url: script, functions }) => functions.map((each) => toCall(fileURLToPath(script), each)));
  return { calls: new Map(calls.map((call) => [call.id, call])), received: [...notifications.received] };
}

function toCall(script, { ranges: [{ startOffset: start, endOffset: end, count }] }) {
  return { id: `${script} ${start} ${end}`, script, start, end, count };
}

/** Records the notifications of the service on a connection of its own, and can send them again. */
async function listen(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const received = [];
  client.on('notification', ({ channel, payload }) => received.push([channel, payload]));
  for (const channel of CHANNELS) await client.query(`listen ${channel}`);
  return {
    received,
    send: async (all) => {
      for (const each of all) {
        await client.query('select pg_notify($1, $2)', each);
        await setTimeout(NOTIFICATION_INTERVAL_MS);
      }
    },
    close: () => client.end(),
  };
}

function measureScript(script, functions) {
  const { file, lineOf } = readSourceMap(script);
  const run = new Set(functions.flatMap(({ start, end }) => linesFrom(lineOf(start), lineOf(end))));
  return { file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1, linesRun: run.size };
}

/** Returns the source file of a script, and a function that maps an offset in the script to a line of the source. */
function readSourceMap(script) {
  const code = readFileSync(script, 'utf8');
  const map = new SourceMap(JSON.parse(readFileSync(`${script}.map`, 'utf8')));
  return {
    file: relative(DIST, script).replace(/\.js$/, '.ts'),
    lineOf: (offset) => {
      const before = code.slice(0, offset).split('\n');
      return map.findEntry(before.length - 1, before.at(-1).length).originalLine;
    },
  };
}

function linesFrom(first, last) {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

async function logIn() {
  const account = { username: 'walker', password: 'seven quiet lanterns' };
  await request('/api/auth/register', { method: 'POST', body: account });
  return (await request('/api/auth/token', { method: 'POST', body: account })).access_token;
}

async function createGroup(token) {
  const { user_id: userId } = await request('/api/auth/me', { token });
  const { data } = await graphql(
    'mutation { createGroup(input: { name: "Walk", quorum: 2 }) { group { id } } }',
    token,
  );
  return { userId, groupId: data.createGroup.group.id };
}

function graphql(query, token) {
  return request('/graphql', { method: 'POST', token, body: { query } });
}

async function request(path, { method = 'GET', token, body } = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} failed with status ${response.status}`);
  return response.json();
}

function databaseUrl() {
  return process.env.DATABASE_URL ? { DATABASE_URL: process.env.DATABASE_URL } : {};
}
