import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectProblem } from '../../support/http/expect-problem.js';
import { comparableHead, TestClient } from '../../support/http/test-client.js';
import { subscribe } from '../../support/http/test-subscription.js';
import { RecordingMailer } from '../../support/recording-mailer.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import {
  createGroupViaApi,
  PASSWORD,
  registerAdmin,
  registerUser,
  type TestUser,
} from '../../support/service/test-users.js';
import { waitUntil } from '../../support/wait-until.js';

const ME = '/api/auth/me';
const TOKEN = '/api/auth/token';

const mailer = new RecordingMailer();
let service: TestService;
let anonymous: TestClient;
let admin: TestUser;
let owner: TestUser;
let ada: TestUser;
let groupId: string;

beforeAll(async () => {
  service = await startTestService({ hasher: FAKE_HASHER, mailer });
  anonymous = new TestClient(service.url);
  [admin, owner] = [await registerAdmin(service), await registerUser(service)];
});
beforeEach(async () => {
  ada = await registerUser(service);
  groupId = await createGroupViaApi(owner, [ada]);
});
afterAll(() => service.remove());

async function setDisabled(disabled: boolean): Promise<void> {
  const document =
    'mutation ($input: SetUserDisabledInput!) { setUserDisabled(input: $input) { user { id disabled } } }';
  expect(await admin.data(document, { input: { userId: ada.id, disabled } })).toEqual({
    setUserDisabled: { user: { id: ada.id, disabled } },
  });
}

async function logIn(): Promise<{ access: TestClient; refresh: string }> {
  const { body } = await anonymous.post(TOKEN, { username: ada.username, password: PASSWORD });
  const { access_token: access, refresh_token: refresh } = body as { access_token: string; refresh_token: string };
  return { access: anonymous.with(access), refresh };
}

function refreshWith(token: string): ReturnType<TestClient['post']> {
  return anonymous.post(TOKEN, { grant_type: 'refresh_token', refresh_token: token });
}

/** The response to a rejected user, on every transport and for every operation of users. */
async function rejections(client: TestClient): Promise<unknown[]> {
  const rest = [
    await client.get(ME),
    await client.get(`/api/groups/${groupId}/members`),
    await client.patch(`/api/groups/${groupId}/users/${ada.id}/status`, { status: 'accepted' }),
  ];
  const documents = [
    '{ me { id } }',
    `{ group(id: "${groupId}") { id } }`,
    'mutation { createGroup(input: { name: "Choir" }) { group { id } } }',
    'mutation { revokeToken(input: {}) { revokedSessions } }',
  ];
  const graphql = await Promise.all(documents.map((document) => client.graphql(document)));
  return [
    ...rest.map(({ body }) => (body as { reason: unknown }).reason),
    ...graphql.map(({ errors }) => errors?.[0]?.extensions.reason),
  ];
}

describe('a disabled account', () => {
  it('is rejected immediately: sessions on every transport, streams and refresh tokens', async () => {
    const other = await logIn();
    const feed = await subscribe(service, ada.token, groupId);
    await waitUntil('the listener', () => service.groups.changeFeed.subscriberCount === 1);
    await setDisabled(true);
    for (const client of [ada, other.access])
      expect(new Set(await rejections(client))).toEqual(new Set(['TOKEN_REVOKED']));
    expect([await feed.ended, feed.changes, feed.reasons]).toEqual(['complete', [], ['TOKEN_REVOKED']]);
    expectProblem(await ada.get(ME), { status: 401, code: 'UNAUTHENTICATED', reason: 'TOKEN_REVOKED', instance: ME });
    expectProblem(await refreshWith(other.refresh), {
      status: 401,
      code: 'UNAUTHENTICATED',
      reason: 'REFRESH_INVALID',
      instance: TOKEN,
      oauthError: 'invalid_grant',
    });
    const again = await subscribe(service, ada.token, groupId);
    expect([await again.ended, again.reasons]).toEqual(['complete', ['TOKEN_REVOKED']]);
  });

  it('gets the same login error as a wrong password', async () => {
    const other = await registerUser(service);
    await setDisabled(true);
    const disabled = await anonymous.post(TOKEN, { username: ada.username, password: PASSWORD });
    const wrong = await anonymous.post(TOKEN, { username: other.username, password: 'not it' });
    expect(comparableHead(disabled)).toEqual(comparableHead(wrong));
    expect({ ...(disabled.body as object), request_id: '' }).toEqual({ ...(wrong.body as object), request_id: '' });
    const login = 'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { accessToken } }';
    const [one, two] = [
      await anonymous.graphql(login, { input: { username: ada.username, password: PASSWORD } }),
      await anonymous.graphql(login, { input: { username: other.username, password: 'not it' } }),
    ];
    // In either order, because a repeated operation takes another code path.
    const comparable = ({ status, data, errors }: typeof one) => ({
      status,
      data,
      errors: errors?.map((error) => ({ ...error, extensions: { ...error.extensions, requestId: '' } })),
    });
    expect(comparable(one)).toEqual(comparable(two));
    expect(one.errors).toMatchObject([{ extensions: { reason: 'WRONG_CREDENTIALS' } }]);
  });

  it('receives no mail with a login link', async () => {
    const email = `${ada.username}@example.org`;
    await service.database.pool.query(
      'update account set email = $2, email_key = $2, email_verified_at = now() where id = $1',
      [ada.id, email],
    );
    await setDisabled(true);
    expect(
      await anonymous.data(
        'mutation ($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { accepted } }',
        { input: { email } },
      ),
    ).toEqual({ requestPasswordReset: { accepted: true } });
    await waitUntil('the task to be over', async () => {
      const { rows } = await service.database.pool.query(
        "select 1 from outbox_task where name = 'reset_password' and status in ('QUEUED', 'RUNNING')",
      );
      return rows.length === 0;
    });
    expect(mailer.sent.filter(({ to, text }) => to === email && text.includes('#secret='))).toEqual([]);
  });

  it('remains a group member that others can see', async () => {
    await setDisabled(true);
    const { body } = await owner.get(`/api/groups/${groupId}/members`);
    expect((body as { members: { user_id: string }[] }).members.map(({ user_id: id }) => id)).toContain(ada.id);
  });

  it('requires a new login after it is enabled again', async () => {
    const other = await logIn();
    await setDisabled(true);
    await setDisabled(false);
    for (const client of [ada, other.access])
      expect(new Set(await rejections(client))).toEqual(new Set(['TOKEN_REVOKED']));
    expect((await refreshWith(other.refresh)).body).toMatchObject({ reason: 'REFRESH_INVALID' });
    const { access, refresh } = await logIn();
    expect((await access.get(ME)).body).toMatchObject({ user_id: ada.id });
    expect((await access.patch(`/api/groups/${groupId}/users/${ada.id}/status`, { status: 'accepted' })).status).toBe(
      200,
    );
    expect((await refreshWith(refresh)).status).toBe(200);
  });
});
