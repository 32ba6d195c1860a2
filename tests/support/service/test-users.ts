import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { createApiKey, grantAdmin, newId, type ApiKeyScope } from '../../../src/accounts/index.js';
import { TestClient } from '../http/test-client.js';
import type { TestService } from './test-service.js';

export const PASSWORD = 'seven quiet lanterns';

/** A user of the API with an account and a token. */
export interface TestUser extends TestClient {
  readonly id: string;
  readonly username: string;
  readonly token: string;
}

/** Registers and logs in over REST. */
export async function registerUser(
  service: Pick<TestService, 'url'>,
  username = `p-${randomBytes(6).toString('hex')}`,
): Promise<TestUser> {
  const anonymous = new TestClient(service.url);
  const registered = await anonymous.post('/api/auth/register', { username, password: PASSWORD });
  if (registered.status !== 201) throw new Error(`${username} could not register: ${registered.text}`);
  const { body } = await anonymous.post('/api/auth/token', { username, password: PASSWORD });
  const { access_token: token, user_id: id } = body as { access_token: string; user_id: string };
  return Object.assign(anonymous.with(token), { id, username, token });
}

export async function registerAdmin(service: TestService): Promise<TestUser> {
  const admin = await registerUser(service);
  await grantAdmin(service.accounts, admin.username);
  return admin;
}

/** Creates an API client whose key has the given scopes. */
export async function createApiKeyClient(
  service: TestService,
  scopes: readonly ApiKeyScope[],
  groupIds: readonly string[] | null = null,
): Promise<TestClient> {
  const { secret } = await createApiKey(service.accounts, { name: 'matchmaker', scopes, groupIds, expiresAt: null });
  return new TestClient(service.url, secret);
}

/** Creates a group of `owner` with the invited `members`; returns its id. */
export async function createGroupViaApi(
  owner: TestClient,
  members: readonly Pick<TestUser, 'id'>[] = [],
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { createGroup } = await owner.data<{ createGroup: { group: { id: string } } }>(
    'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id } } }',
    { input: { name: 'Supper club', ...fields } },
  );
  const groupId = createGroup.group.id;
  if (members.length > 0)
    await inviteUsers(
      owner,
      groupId,
      members.map(({ id }) => id),
    );
  return groupId;
}

/** Invites up to 500 users. */
export async function inviteUsers(owner: TestClient, groupId: string, userIds: readonly string[]): Promise<void> {
  await owner.data('mutation ($input: InviteToGroupInput!) { inviteToGroup(input: $input) { group { id } } }', {
    input: { groupId, invitees: userIds.map((userId) => ({ userId })) },
  });
}

/** Inserts accounts that are not used for logins, in one statement; returns their ids in ascending order. */
export async function insertAccounts(
  service: { readonly database: { readonly pool: Pick<pg.Pool, 'query'> } },
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  await service.database.pool.query(
    `insert into account (id, username, username_key, password_hash, created_at)
     select id, 'a-' || right(id::text, 12), 'a-' || right(id::text, 12), 'none', now() from unnest($1::uuid[]) as id`,
    [ids],
  );
  return ids;
}
