import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { QUICK_HASHER } from '../support/core.js';
import { keptLog } from '../support/log-lines.js';
import { join, joinAsAdmin, PASSWORD, type Person } from '../support/people.js';
import { startTestService, type TestService } from '../support/service.js';

const { log, lines } = keptLog();
let service: TestService;
let admin: Person;

beforeAll(async () => {
  service = await startTestService({ hasher: QUICK_HASHER, log });
  admin = await joinAsAdmin(service);
});
afterAll(() => service.remove());

const DISABLE = 'mutation ($input: SetUserDisabledInput!) { setUserDisabled(input: $input) { user { disabled } } }';
const ROLE = 'mutation ($input: SetUserRoleInput!) { setUserRole(input: $input) { user { roles } } }';
const CREATE = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret apiKey { id prefix scopes lastUsedAt } } }';

describe('an administrator', () => {
  it('keeps somebody out at once, and lets them in again', async () => {
    const ada = await join(service);
    expect(await admin.data(DISABLE, { input: { userId: ada.id, disabled: true } })).toEqual({ setUserDisabled: { user: { disabled: true } } });
    expect((await ada.get('/api/auth/me')).body).toMatchObject({ reason: 'TOKEN_REVOKED' });
    await admin.data(DISABLE, { input: { userId: ada.id, disabled: false } });
    expect((await new Client(service.url).post('/api/auth/token', { username: ada.username, password: PASSWORD })).status).toBe(200);
  });

  it('never does so to themselves', async () => {
    const input = { userId: admin.id };
    expect((await admin.graphql(DISABLE, { input: { ...input, disabled: true } })).errors?.[0]?.extensions).toMatchObject({ reason: 'INVALID_INPUT' });
    expect((await admin.graphql(ROLE, { input: { ...input, role: 'USER' } })).errors?.[0]?.extensions).toMatchObject({ reason: 'INVALID_INPUT' });
  });

  it('finds accounts by how their names begin, in any case, and nothing by a pattern', async () => {
    await join(service, 'Searched_One');
    const find = 'query ($search: String) { users(search: $search) { totalCount nodes { username } } }';
    expect(await admin.data(find, { search: 'sEARCHED_' })).toEqual({ users: { totalCount: 1, nodes: [{ username: 'Searched_One' }] } });
    expect(await admin.data(find, { search: '%' })).toMatchObject({ users: { totalCount: 0 } });
  });

  it('gets the same key and secret for the same request, sees that it was used, and ends it', async () => {
    const input = { name: 'matcher', scopes: ['GROUPS_READ'] };
    const made = await admin.graphql<{ createApiKey: { secret: string; apiKey: { id: string } } }>(CREATE, { input }, { 'idempotency-key': 'k-1' });
    expect((await admin.graphql(CREATE, { input }, { 'idempotency-key': 'k-1' })).data).toEqual(made.data);
    const { secret, apiKey: { id } } = made.data?.createApiKey ?? { secret: '', apiKey: { id: '' } };
    const program = new Client(service.url, secret);
    expect((await program.get('/api/auth/me')).body).toMatchObject({ reason: 'SCOPE_REQUIRED' });
    await service.accounts.apiKeyUses.settled();
    expect(await admin.data('{ apiKeys { id lastUsedAt } }')).toEqual({ apiKeys: expect.arrayContaining([{ id, lastUsedAt: expect.any(String) }]) });
    await admin.data('mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { apiKey { id } } }', { input: { apiKeyId: id } });
    expect((await program.get('/api/auth/me')).body).toMatchObject({ reason: 'TOKEN_INVALID' });
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  it('reads in the audit what was done, newest first', async () => {
    const ben = await join(service);
    await admin.data(ROLE, { input: { userId: ben.id, role: 'ADMIN' } });
    const { auditEvents } = await admin.data<{ auditEvents: { nodes: unknown } }>(
      'query ($userId: UUID) { auditEvents(userId: $userId) { nodes { action actor { id } subject { id } } } }', { userId: ben.id });
    expect(auditEvents.nodes).toEqual([
      { action: 'role.granted', actor: { id: admin.id }, subject: { id: ben.id } },
      { action: 'login', actor: { id: ben.id }, subject: { id: ben.id } },
    ]);
  });
});

describe('the security log', () => {
  it('has a line for a login, one that failed, a denial and what an administrator did, with no word of what was sent', async () => {
    const cat = await join(service);
    await new Client(service.url).post('/api/auth/token', { username: 'canary\r\n{"event":"login"}', password: 'canary-password' }, { 'x-request-id': 'failed-1' });
    await cat.graphql('{ apiKeys { id } }', {}, { 'x-request-id': 'denied-1' });
    expect(lines).toEqual(expect.arrayContaining([
      expect.objectContaining({ event: 'login', outcome: 'ok', userId: cat.id }),
      expect.objectContaining({ event: 'login', outcome: 'refused', reason: 'WRONG_CREDENTIALS', requestId: 'failed-1' }),
      expect.objectContaining({ event: 'denial', reason: 'ADMIN_REQUIRED', operation: 'apiKeys', userId: cat.id, requestId: 'denied-1' }),
      expect.objectContaining({ event: 'admin-action', operation: 'setUserRole', userId: admin.id }),
    ]));
    expect(JSON.stringify(lines)).not.toContain('canary');
  });
});
