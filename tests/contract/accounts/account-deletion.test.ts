import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { buildApp, type App } from '../../../src/app.js';
import { TestClient, type GraphqlResponse } from '../../support/http/test-client.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import {
  createApiKeyClient,
  createGroupViaApi,
  PASSWORD,
  registerUser,
  type TestUser,
} from '../../support/service/test-users.js';
import { waitUntil } from '../../support/wait-until.js';

const DELETE = 'mutation ($input: DeleteAccountInput!) { deleteAccount(input: $input) { deletedUserId } }';
const PREVIEW = `{ me { deletionPreview {
  blockingGroups { id memberCount } changingGroups { group { id name } before after } sentInvitations
} } }`;
const ANSWER = 'mutation ($input: UpdateMemberStatusInput!) { updateMemberStatus(input: $input) { group { state } } }';
const CHANGE_ROLE = 'mutation ($input: ChangeMemberRoleInput!) { changeMemberRole(input: $input) { member { role } } }';
const WITH_PASSWORD = { input: { password: PASSWORD } };

function reasonOf({ errors }: GraphqlResponse): unknown {
  return errors?.[0]?.extensions['reason'];
}

describe.each(['yoga', 'apollo'])('account deletion through %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ settings: { GRAPHQL_ENGINE: engine } });
  });
  afterAll(() => service.remove());

  const stateOf = async (owner: TestClient, groupId: string) =>
    (
      await owner.data<{ group: unknown }>(
        'query ($id: UUID!) { group(id: $id) { state acceptedCount memberCount } }',
        { id: groupId },
      )
    ).group;

  /** The group follows the deletion shortly afterwards, by a task. */
  const expectState = async (owner: TestClient, groupId: string, expected: object) => {
    await waitUntil(
      'the group continues without the account',
      async () => JSON.stringify(await stateOf(owner, groupId)) === JSON.stringify(expected),
    );
  };

  it('recomputes the groups of the account as its preview states, and frees the name (sentry#2527)', async () => {
    const [owner, leaver] = [await registerUser(service), await registerUser(service, `Leaver-${engine}`)];
    const groupIds = [
      await createGroupViaApi(owner, [leaver]),
      await createGroupViaApi(owner, [leaver]),
      await createGroupViaApi(owner, [leaver]),
    ];
    for (const groupId of groupIds)
      await leaver.data(ANSWER, { input: { groupId, userId: leaver.id, status: 'ACCEPTED' } });
    expect(await leaver.data(PREVIEW)).toEqual({
      me: {
        deletionPreview: {
          blockingGroups: [],
          sentInvitations: 0,
          changingGroups: groupIds.map((id) => ({
            group: { id, name: 'Supper club' },
            before: 'CONFIRMED',
            after: 'FORMING',
          })),
        },
      },
    });
    expect(await leaver.data(DELETE, WITH_PASSWORD)).toEqual({ deleteAccount: { deletedUserId: leaver.id } });
    for (const groupId of groupIds) {
      await expectState(owner, groupId, { state: 'FORMING', acceptedCount: 1, memberCount: 1 });
      expect((await owner.get(`/api/groups/${groupId}/accepted-count`)).body).toMatchObject({ accepted_count: 1 });
      const history =
        'query ($id: UUID!) { group(id: $id) { history { nodes { cause actor { id } subject { id } } } } }';
      await waitUntil(
        'the history without the deleted user',
        async () => !JSON.stringify(await owner.data(history, { id: groupId })).includes(leaver.id),
      );
      const { group } = await owner.data<{ group: unknown }>(history, { id: groupId });
      expect(group).toMatchObject({
        history: {
          nodes: [
            {},
            {},
            { cause: 'RESPONSE', actor: null, subject: null },
            { cause: 'ACCOUNT_DELETED', actor: null, subject: null },
          ],
        },
      });
    }
    expect((await registerUser(service, `LEAVER-${engine}`)).id).not.toBe(leaver.id);
  });

  it('immediately invalidates the tokens on every transport, and the password', async () => {
    const leaver = await registerUser(service);
    const login = await new TestClient(service.url).post('/api/auth/token', {
      username: leaver.username,
      password: PASSWORD,
    });
    const { refresh_token: refreshToken } = login.body as { refresh_token: string };
    await leaver.data(DELETE, WITH_PASSWORD);
    expect((await leaver.get('/api/auth/me')).body).toMatchObject({ status: 401, reason: 'TOKEN_REVOKED' });
    expect(reasonOf(await leaver.graphql('{ me { id } }'))).toBe('TOKEN_REVOKED');
    expect(reasonOf(await leaver.graphql(DELETE, WITH_PASSWORD))).toBe('TOKEN_REVOKED');
    const anonymous = new TestClient(service.url);
    expect(
      reasonOf(
        await anonymous.graphql('mutation ($input: RefreshTokenInput!) { refreshToken(input: $input) { tokenType } }', {
          input: { refreshToken },
        }),
      ),
    ).toBe('REFRESH_INVALID');
    expect(
      (await anonymous.post('/api/auth/token', { username: leaver.username, password: PASSWORD })).body,
    ).toMatchObject({ status: 401, reason: 'WRONG_CREDENTIALS' });
  });

  it('rejects a sole owner with the names of the groups (agenticos#1117, bitwarden#411)', async () => {
    const [owner, guest] = [await registerUser(service), await registerUser(service)];
    const groupId = await createGroupViaApi(owner, [guest]);
    const { errors } = await owner.graphql(DELETE, WITH_PASSWORD);
    expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT', reason: 'SOLE_OWNER_OF_GROUPS' } }]);
    expect(await owner.data(PREVIEW)).toMatchObject({
      me: { deletionPreview: { blockingGroups: [{ id: groupId, memberCount: 2 }], changingGroups: [] } },
    });
    await owner.data(CHANGE_ROLE, { input: { groupId, userId: guest.id, role: 'OWNER' } });
    await owner.data(DELETE, WITH_PASSWORD);
    await expectState(guest, groupId, { state: 'FORMING', acceptedCount: 0, memberCount: 1 });
  });

  it('requires the password and a user', async () => {
    const leaver = await registerUser(service);
    const wrong = await leaver.graphql(DELETE, { input: { password: 'seven loud lanterns' } });
    expect(wrong.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED', reason: 'WRONG_CREDENTIALS' } }]);
    expect(wrong.text).not.toContain('loud');
    expect((await leaver.get('/api/auth/me')).status).toBe(200);
    expect(reasonOf(await new TestClient(service.url).graphql(DELETE, WITH_PASSWORD))).toBe('TOKEN_MISSING');
    expect(reasonOf(await (await createApiKeyClient(service, ['groups:read'])).graphql(DELETE, WITH_PASSWORD))).toBe(
      'SCOPE_REQUIRED',
    );
  });

  it("allows a full export before, readable by the account's owner only", async () => {
    const [leaver, other] = [await registerUser(service), await registerUser(service)];
    const groupId = await createGroupViaApi(other, [leaver]);
    const { me } = await leaver.data<{ me: { export: Record<string, unknown> } }>('{ me { export } }');
    expect(me.export).toMatchObject({
      account: { profile: [{ id: leaver.id, username: leaver.username }], sessions: [{}], followUps: [{}, {}, {}] },
      groups: { memberships: [{ groupId, status: 'PENDING' }], changes: [{ groupId, cause: 'INVITED' }] },
    });
    expect(JSON.stringify(me.export)).not.toMatch(/argon2|password_?hash/i);
    const login = 'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { user { export } } }';
    const input = { username: leaver.username, password: PASSWORD };
    expect(reasonOf(await new TestClient(service.url).graphql(login, { input }))).toBe('TOKEN_MISSING');
    expect(reasonOf(await other.graphql(login, { input }))).toBe('TOKEN_INVALID');
    expect(
      reasonOf(await other.graphql(login.replace('export', 'deletionPreview { sentInvitations }'), { input })),
    ).toBe('TOKEN_INVALID');
  });
});

describe('account deletion with several nodes', () => {
  let service: TestService;
  let other: App;
  let leaver: TestUser;
  beforeAll(async () => {
    service = await startTestService();
    other = await buildApp({ ...service.settings, PORT: 0 }, { log: pino({ level: 'silent' }) });
    leaver = await registerUser(service);
  });
  afterAll(async () => {
    await other.close();
    await service.remove();
  });

  it('invalidates the account on the other nodes within a second', async () => {
    const elsewhere = new TestClient(await other.listen(), leaver.token);
    expect((await elsewhere.get('/api/auth/me')).status).toBe(200);
    await leaver.data(DELETE, WITH_PASSWORD);
    await waitUntil(
      'the other node refuses the token',
      async () => {
        const { body } = await elsewhere.get('/api/auth/me');
        return (body as { reason?: string }).reason === 'TOKEN_REVOKED';
      },
      1_000,
    );
    expect(
      (await elsewhere.post('/graphql', { query: 'mutation { createGroup(input: { name: "x" }) { group { id } } }' }))
        .text,
    ).toContain('TOKEN_REVOKED');
  });
});
