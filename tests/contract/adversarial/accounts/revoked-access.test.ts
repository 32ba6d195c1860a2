import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SECOND_MS } from '../../../../src/async/durations.js';
import { ROUTES } from '../../../../src/rest/index.js';
import { TestClient } from '../../../support/http/test-client.js';
import { renameGroup, subscribe } from '../../../support/http/test-subscription.js';
import { RecordingMailer } from '../../../support/recording-mailer.js';
import { FAKE_HASHER } from '../../../support/service/test-core.js';
import {
  createGroupViaApi,
  PASSWORD,
  registerAdmin,
  registerUser,
  type TestUser,
} from '../../../support/service/test-users.js';
import { waitUntil } from '../../../support/wait-until.js';
import { startTwoProcesses, type TwoProcesses } from '../two-processes.js';

const TOKEN = '/api/auth/token';
const mailer = new RecordingMailer();
let processes: TwoProcesses;
let admin: TestUser;

beforeAll(async () => {
  processes = await startTwoProcesses({ hasher: FAKE_HASHER, mailer });
  admin = await registerAdmin(processes.here);
});
afterAll(() => processes.remove());

/** A user whose access is revoked: one session to revoke, and another from which to do so. */
interface Victim {
  readonly id: string;
  readonly username: string;
  readonly token: string;
  readonly refreshToken: string;
  readonly elsewhere: TestClient;
}

async function newVictim(): Promise<Victim> {
  const elsewhere = await registerUser(processes.here);
  const { body } = await new TestClient(processes.here.url).post(TOKEN, {
    username: elsewhere.username,
    password: PASSWORD,
  });
  const { access_token: token, refresh_token: refreshToken } = body as { access_token: string; refresh_token: string };
  return { id: elsewhere.id, username: elsewhere.username, token, refreshToken, elsewhere };
}

function run(by: TestClient, name: string, input: object, selection: string): Promise<Record<string, unknown>> {
  return by.data(
    `
      mutation ($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) {
        ${name}(input: $input) { ${selection} }
      }`,
    { input },
  );
}

async function resetPassword({ id }: Victim): Promise<void> {
  const email = `${id}@example.org`;
  await processes.here.database.pool.query(
    'update account set email = $2, email_key = $2, email_verified_at = now() where id = $1',
    [id, email],
  );
  await run(new TestClient(processes.here.url), 'requestPasswordReset', { email }, 'accepted');
  await waitUntil('the mail', () => mailer.sent.some(({ to }) => to === email));
  await run(
    new TestClient(processes.here.url),
    'resetPassword',
    { secret: mailer.secretTo(email), newPassword: 'nine louder lanterns' },
    'revokedSessions',
  );
}

async function endSession({ token, elsewhere }: Victim): Promise<void> {
  const { me } = await new TestClient(processes.here.url, token).data<{
    me: { sessions: { id: string; current: boolean }[] };
  }>('{ me { sessions { id current } } }');
  await run(
    elsewhere,
    'revokeSession',
    { sessionId: me.sessions.find(({ current }) => current)?.id },
    'revokedSessions',
  );
}

async function steal({ refreshToken }: Victim): Promise<void> {
  const use = async (token: string): Promise<string> => {
    const { body } = await new TestClient(processes.here.url).post(TOKEN, {
      grant_type: 'refresh_token',
      refresh_token: token,
    });
    return (body as { refresh_token: string }).refresh_token;
  };
  await use(await use(refreshToken));
  await use(refreshToken);
}

/** Every way to revoke access before it expires. */
const ENDS: Readonly<Record<string, (victim: Victim) => Promise<unknown>>> = {
  'has deleted the account (supabase#6702)': ({ elsewhere }) =>
    run(elsewhere, 'deleteAccount', { password: PASSWORD }, 'deletedUserId'),
  'was disabled': ({ id: userId }) => run(admin, 'setUserDisabled', { userId, disabled: true }, 'user { disabled }'),
  'was made an administrator': ({ id: userId }) =>
    run(admin, 'setUserRole', { userId, role: 'ADMIN' }, 'user { roles }'),
  'is an administrator no more': async ({ id: userId }) => {
    await processes.here.database.pool.query(`update account set roles = '{USER,ADMIN}' where id = $1`, [userId]);
    await run(admin, 'setUserRole', { userId, role: 'USER' }, 'user { roles }');
  },
  'has changed the password elsewhere': ({ elsewhere }) =>
    run(
      elsewhere,
      'changePassword',
      { currentPassword: PASSWORD, newPassword: 'nine loud lanterns' },
      'revokedSessions',
    ),
  'has reset the password': resetPassword,
  'has logged out': ({ token }) => run(new TestClient(processes.here.url, token), 'revokeToken', {}, 'revokedSessions'),
  'has logged out everywhere, elsewhere': ({ elsewhere }) =>
    run(elsewhere, 'revokeToken', { everywhere: true }, 'revokedSessions'),
  'has ended the session elsewhere': endSession,
  'had the refresh token stolen': steal,
};

/** Every way to use an access token. Returns the status and the reason of the error. */
function uses(
  url: string,
  { id, token }: Victim,
  groupId: string,
): (() => Promise<[string, number, unknown, string | null]>)[] {
  const client = new TestClient(url, token);
  const rest = ROUTES.filter(({ needsToken }) => needsToken).map(
    ({ method, path, body }) =>
      async (): Promise<[string, number, unknown, string | null]> => {
        const response = await client.send(
          method,
          path.replace(':group_id', groupId).replace(':user_id', id),
          body === 'none' ? {} : { json: { status: 'tentative' } },
        );
        return [
          path,
          response.status,
          (response.body as { reason?: unknown }).reason,
          response.headers.get('www-authenticate'),
        ];
      },
  );
  const documents = [
    '{ me { id } }',
    `{ group(id: "${groupId}") { id } }`,
    'mutation { createGroup(input: {name: "Late"}) { group { id } } }',
    'mutation { changePassword(input: {currentPassword: "x", newPassword: "y"}) { revokedSessions } }',
  ];
  const graphql = documents.map((document) => async (): Promise<[string, number, unknown, string | null]> => {
    const { errors, headers } = await client.graphql(document);
    return [
      document,
      errors?.[0]?.extensions.code === 'UNAUTHENTICATED' ? 401 : 200,
      errors?.[0]?.extensions.reason,
      headers.get('www-authenticate'),
    ];
  });
  const stream = async (): Promise<[string, number, unknown, string | null]> => {
    const feed = await subscribe({ url }, token, groupId, { afterRevision: 0 });
    await Promise.race([feed.ended, feed.waitForChanges(1).catch(() => undefined)]);
    feed.disconnect();
    return ['a stream', feed.reasons.length === 0 ? 200 : 401, feed.reasons[0], null];
  };
  return [...rest, ...graphql, stream];
}

describe('an access token', () => {
  it.each(Object.entries(ENDS))('is rejected by every transport of every process when the user %s', async (_, end) => {
    const victim = await newVictim();
    const owner = await registerUser(processes.here);
    const groupId = await createGroupViaApi(owner, [victim]);
    const both = [processes.here.url, processes.there.url];
    for (const url of both) expect((await new TestClient(url, victim.token).get('/api/auth/me')).status).toBe(200);
    const feeds = await Promise.all(both.map((url) => subscribe({ url }, victim.token, groupId)));
    await end(victim);

    // Immediately on this process, within a second on the other.
    expect((await new TestClient(processes.here.url, victim.token).get('/api/auth/me')).status).toBe(401);
    // A profile is read from the account row, which shows the deletion without any notification.
    const countThere = () =>
      new TestClient(processes.there.url, victim.token).get(`/api/groups/${groupId}/accepted-count`);
    await waitUntil(
      'the other process to know',
      async () => ((await countThere()).body as { reason?: string }).reason === 'TOKEN_REVOKED',
      SECOND_MS,
    );
    for (const use of uses(processes.here.url, victim, groupId)) expectRejected(await use());
    for (const use of uses(processes.there.url, victim, groupId)) expectRejected(await use());
    for (const url of both)
      expect(
        (await new TestClient(url).post(TOKEN, { grant_type: 'refresh_token', refresh_token: victim.refreshToken }))
          .body,
      ).toMatchObject({ status: 401, reason: 'REFRESH_INVALID' });
    await renameGroup(owner, groupId, 'Without them');
    for (const feed of feeds) {
      expect(await feed.ended).toBe('complete');
      expect(feed.changes.filter(({ cause }) => cause === 'RENAMED')).toEqual([]);
      // For a deleted account the missing membership may be found first.
      expect(['TOKEN_REVOKED', 'GROUP_NOT_FOUND']).toContain(feed.reasons[0]);
    }
  });

  it('writes nothing after the revocation', async () => {
    expect((await processes.here.database.pool.query(`select 1 from groups where name = 'Late'`)).rows).toEqual([]);
    expect((await processes.here.database.pool.query(`select 1 from member where status = 'TENTATIVE'`)).rows).toEqual(
      [],
    );
  });
});

function expectRejected([what, status, reason, challenge]: readonly [string, number, unknown, string | null]): void {
  expect([what, status, reason, challenge]).toEqual([
    what,
    401,
    'TOKEN_REVOKED',
    what.startsWith('/api') ? 'Bearer error="invalid_token"' : null,
  ]);
}
