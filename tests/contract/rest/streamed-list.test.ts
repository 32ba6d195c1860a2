import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createApiKey } from '../../../src/accounts/index.js';
import { MINUTE_MS } from '../../../src/async/durations.js';
import { fakeClock } from '../../support/fake-clock.js';
import { readBeginning } from '../../support/http/paused-client.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import {
  createGroupViaApi,
  insertAccounts,
  PASSWORD,
  registerAdmin,
  registerUser,
  type TestUser,
} from '../../support/service/test-users.js';
import { waitUntil } from '../../support/wait-until.js';

/** So many members, with names so long, that the list exceeds the socket buffers of a client that does not read. */
const MEMBERS = 25_000;
const DISPLAY_NAME = '\u{1f600}'.repeat(80);
const LAST_CHUNK = '\r\n0\r\n\r\n';
const clock = fakeClock(new Date());

let service: TestService;
let owner: TestUser;
let groupId: string;

beforeAll(async () => {
  service = await startTestService({ clock, hasher: FAKE_HASHER, settings: { SEND_TIMEOUT: '2s' } });
  owner = await registerUser(service);
  groupId = await createGroupViaApi(owner);
  const ids = await insertAccounts(service, MEMBERS);
  const { pool } = service.database;
  await pool.query('update account set display_name = $2 where id = any($1)', [ids, DISPLAY_NAME]);
  await pool.query(
    `insert into member (group_id, user_id, role, status, invited_at, revision)
     select $1, id, 'MEMBER', 'PENDING', now(), 1 from unnest($2::uuid[]) as id`,
    [groupId, ids],
  );
}, 120_000);
afterAll(() => service.remove());

let caller: TestUser;
beforeEach(async () => {
  const { body } = await owner.post('/api/auth/token', { username: owner.username, password: PASSWORD });
  caller = Object.assign(owner.with((body as { access_token: string }).access_token), {
    id: owner.id,
    username: owner.username,
  }) as TestUser;
});

function begin(token: string | null = caller.token): ReturnType<typeof readBeginning> {
  return readBeginning(service.url, `GET /api/groups/${groupId}/members`, `Authorization: Bearer ${token ?? ''}`);
}

/** Requires a text that no client accepts as the whole list. */
function expectCutOff(text: string): void {
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(text).toContain('Transfer-Encoding: chunked');
  expect(text.endsWith(LAST_CHUNK)).toBe(false);
  expect(text).not.toContain('"next_cursor":null}');
}

describe('the streamed list of members', () => {
  it('is complete while its token is valid', async () => {
    const text = await (await begin()).resume();
    expect(text.endsWith(LAST_CHUNK)).toBe(true);
    expect(text.match(/"user_id"/g)).toHaveLength(MEMBERS + 1);
  }, 60_000);

  it('has no entity tag, and is cacheable by its reader only', async () => {
    const text = await (await begin()).resume();
    const top = text.slice(0, text.indexOf('\r\n\r\n'));
    expect(top).toContain('cache-control: private, no-cache\r\n');
    expect(top).toContain('vary: Authorization, Accept-Encoding\r\n');
    expect(top).not.toMatch(/^etag:/m);
  }, 60_000);

  it.each<[string, () => unknown]>([
    [
      'its token has expired',
      () => {
        clock.advance(16 * MINUTE_MS);
      },
    ],
    ['its session was revoked', () => caller.post('/api/auth/revoke', { token: caller.token })],
  ])(
    'is aborted, so that a client sees an error, when %s',
    async (_, end) => {
      const client = await begin();
      await end();
      expectCutOff(await client.resume());
    },
    60_000,
  );

  it('is aborted for an API client with a revoked key', async () => {
    const { apiKey, secret } = await createApiKey(service.accounts, {
      name: 'matchmaker',
      scopes: ['groups:read'],
      groupIds: null,
      expiresAt: null,
    });
    const client = await begin(secret);
    const revoke = 'mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { apiKey { id } } }';
    await (await registerAdmin(service)).data(revoke, { input: { apiKeyId: apiKey.id } });
    expectCutOff(await client.resume());
  }, 60_000);

  it('is an error in fetch when it is aborted', async () => {
    const response = await fetch(`${service.url}/api/groups/${groupId}/members`, {
      headers: { authorization: `Bearer ${caller.token}`, 'accept-encoding': 'identity' },
    });
    await caller.post('/api/auth/revoke', { token: caller.token });
    await expect(response.json()).rejects.toThrow('terminated');
  }, 60_000);

  it('is closed by the service when its client reads nothing for SEND_TIMEOUT', async () => {
    const accepted = once(service.server.server, 'connection') as Promise<[Socket]>;
    const client = await begin();
    const [connection] = await accepted;
    await waitUntil('the service to close it', () => connection.destroyed, 30_000);
    expectCutOff(await client.resume());
  }, 60_000);
});
