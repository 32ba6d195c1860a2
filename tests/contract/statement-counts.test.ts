import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QUICK_HASHER } from '../support/core.js';
import { addAccounts, groupOf, invite, join, joinAsAdmin, type Person } from '../support/people.js';
import { startTestService, type TestService } from '../support/service.js';
import { countStatements } from '../support/statements.js';

/** The jobs look for work meanwhile: the least of some tries is what the request itself needs. */
const TRIES = 4;
const MEMBERS = 500;

let service: TestService;
let owner: Person;
let groupId: string;

beforeAll(async () => {
  service = await startTestService({ hasher: QUICK_HASHER });
  owner = await join(service);
  groupId = await groupOf(owner);
  await invite(owner, groupId, await addAccounts(service, MEMBERS - 1));
});
afterAll(() => service.remove());

async function leastStatements(request: () => Promise<{ readonly status: number; readonly text: string }>): Promise<number> {
  const counts: number[] = [];
  for (let tried = 0; tried < TRIES; tried += 1) {
    const { result, statements } = await countStatements(request);
    expect({ status: result.status, hasErrors: result.text.includes('"errors"') }).toEqual({ status: 200, hasErrors: false });
    counts.push(statements);
  }
  return Math.min(...counts);
}

describe('the statements of a request over REST', () => {
  it.each([
    ['/api/auth/me', 1],
    ['/api/groups/{group_id}/accepted-count', 1],
    ['/api/groups/{group_id}/compatibility_score', 1],
    ['/api/groups/{group_id}/members?limit=10', 2],
    ['/api/groups/{group_id}/members', 2],
    ['/api/groups/{group_id}/members?status=pending', 2],
  ])('%s: %i', async (path, most) => {
    expect(await leastStatements(() => owner.get(path.replace('{group_id}', groupId)))).toBeLessThanOrEqual(most);
  });
});

describe('the statements of an administrator\'s request', () => {
  let admin: Person;
  beforeAll(async () => {
    admin = await joinAsAdmin(service);
    const tables = [
      `audit_event (id, at, action, actor_id, subject_id) select gen_random_uuid(), now(), 'login', $1, id from account`,
      `outbox_task (id, name, payload, registered_user_id, status, created_at) select gen_random_uuid(), 'sample', '{}', id, 'DONE', now() from account where $1::uuid is not null`,
    ];
    for (const rows of tables) await service.database.pool.query(`insert into ${rows}`, [admin.id]);
  });

  it.each([
    ['{ users(first: 500) { totalCount nodes { id username email roles disabled lastLoginAt } } }', 3],
    ['{ auditEvents(first: 500) { totalCount nodes { action detail actor { username } subject { username } } } }', 5],
    ['{ followUps(first: 500) { totalCount nodes { name status lastError user { username } } } }', 4],
    ['{ apiKeys { id name scopes groupIds } }', 2],
  ])('%s: at most %i, whatever its lists hold', async (query, most) => {
    expect(await leastStatements(() => admin.graphql(query))).toBeLessThanOrEqual(most);
  });
});

describe('the statements of a request over GraphQL', () => {
  const MEMBER = 'user { username displayName } role status invitedAt respondedAt revision invitedBy { username }';

  it.each([
    ['{ me { id username roles } }', 1],
    ['{ group(id: "{group_id}") { id acceptedCount state responseCounts { accepted } compatibilityScore { value } viewerMembership { status user { username } } } }', 1],
    [`{ group(id: "{group_id}") { members(first: 1000) { totalCount nodes { ${MEMBER} } } } }`, 3],
    [`{ group(id: "{group_id}") { members(first: 100) { nodes { ${MEMBER} group { id name acceptedCount members(first: 1) { totalCount } } } } } }`, 5],
    ['{ group(id: "{group_id}") { history(first: 500) { nodes { revision cause actor { username } subject { username } group { id } } } } }', 5],
    ['{ a: group(id: "{group_id}") { name } b: group(id: "{group_id}") { acceptedCount } c: group(id: "{group_id}") { state } }', 1],
  ])('%s: at most %i, whatever its lists hold', async (query, most) => {
    expect(await leastStatements(() => owner.graphql(query.replaceAll('{group_id}', groupId)))).toBeLessThanOrEqual(most);
  });
});
