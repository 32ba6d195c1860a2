import type { OperationFixture } from '../../contract/operations.js';
import { withClient } from '../../support/database/test-database.js';
import { TestClient } from '../../support/http/test-client.js';
import { createGroupViaApi, PASSWORD, registerUser } from '../../support/service/test-users.js';
import { waitUntil } from '../../support/wait-until.js';
import type { Lane } from '../lanes.js';
import type { Services } from '../suite.js';

/** The kinds of caller, by their Authorization header; null sends none. */
export type Caller = 'owner' | 'member' | 'stranger' | 'admin' | 'anonymous' | 'malformed' | 'expired';

/** Accounts and a group of one lane, created in the same way for each. */
export interface World extends OperationFixture {
  readonly tokens: Readonly<Record<Caller, string | null>>;
}

export async function createWorld(lane: Lane, databaseUrl: string, expired: string): Promise<World> {
  const owner = await registerUser(lane);
  const member = await registerUser(lane);
  const stranger = await registerUser(lane);
  const admin = await registerUser(lane);
  const extra = await registerUser(lane);
  await grantAdmin(databaseUrl, admin.id);
  return {
    owner,
    member,
    stranger,
    groupId: await createGroupViaApi(owner, [member, extra]),
    freeName: `${owner.username}-free`,
    newAddress: `${owner.username}@example.org`,
    tokens: {
      owner: owner.token,
      member: member.token,
      stranger: stranger.token,
      admin: await logIn(lane, admin.username),
      anonymous: null,
      malformed: 'nonsense',
      expired,
    },
  };
}

/** Returns a token that has expired, of a service whose tokens live one second. */
export async function createExpiredToken({ start }: Services): Promise<string> {
  const service = await start({ ACCESS_TOKEN_TTL: '1s' });
  const user = await registerUser(service);
  await waitUntil('the token expires', async () => (await user.get('/api/auth/me')).status === 401);
  await service.stop();
  return user.token;
}

async function grantAdmin(databaseUrl: string, id: string): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query(`update account set roles = '{USER,ADMIN}' where id = $1`, [id]),
  );
}

async function logIn({ url }: Lane, username: string): Promise<string> {
  const { body } = await new TestClient(url).post('/api/auth/token', { username, password: PASSWORD });
  return (body as { readonly access_token: string }).access_token;
}
