#!/usr/bin/env node
/**
 * Lists the source files that one request runs through: `node scripts/walk-request.mjs`.
 *
 * Starts the built service on a temporary data folder, warms each operation up, and then counts the files of `src/`
 * in which at least one function runs during one request (V8's precise coverage).
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const DIST = join(ROOT, 'dist/');
const WARM_UP_REQUESTS = 5;
const SETTLE_MS = 300;

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
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function walk(name, send) {
  for (let count = 0; count < WARM_UP_REQUESTS; count += 1) await send();
  await new Promise((resolve) => {
    setTimeout(resolve, SETTLE_MS);
  });
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await send();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const files = result
    .filter(({ url: script, functions }) => script.startsWith(`file://${encodeURI(DIST)}`) && functions.some(ran))
    .map(({ url: script }) => sourceOf(script))
    .sort();
  const lines = files.reduce((sum, file) => sum + readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1, 0);
  console.log(`\n${name}: ${files.length} files, ${lines} lines\n${files.map((file) => `  ${file}`).join('\n')}`);
}

/** The first function of a script is its top level, which runs at import. */
function ran({ functionName, ranges }) {
  return functionName !== '' && ranges.some(({ count }) => count > 0);
}

function sourceOf(script) {
  return relative(DIST, fileURLToPath(script)).replace(/\.js$/, '.ts');
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
