import type { TestClient } from '../../support/http/test-client.js';
import { subscribe } from '../../support/http/test-subscription.js';
import type { TestUser } from '../../support/service/test-users.js';
import type { CanaryFixture } from './canary-fixture.js';
import {
  addressOf,
  logIn,
  markedHeaders,
  passwordOf,
  registerMarkedAdmin,
  registerMarkedUser,
  run,
  verifyAddress,
} from './canary-users.js';
import { SECRET, SHAPES, TEXT } from './marks.js';

/** The actors after every operation has run once. All their tokens are valid. */
export interface CanaryActors {
  readonly owner: TestUser;
  readonly member: TestUser;
  readonly admin: TestUser;
  readonly apiClient: TestClient;
  /** A group of `owner`, with `member` in it. */
  readonly groupId: string;
}

/** Runs every operation successfully, over both transports. */
export async function runHappyPaths(fixture: CanaryFixture): Promise<CanaryActors> {
  const owner = await registerMarkedUser(fixture, 'owner');
  const member = await registerMarkedUser(fixture, 'member');
  const admin = await registerMarkedAdmin(fixture, 'admin');
  await verifyAddress(fixture, addressOf('owner'));
  const apiClient = await runAdminOperations(fixture, admin, member);
  const groupId = await runGroupOperations(fixture, { owner, member, apiClient });
  await useRest(fixture, { owner, member, groupId });
  await endMemberships(fixture, {
    owner,
    groupId: await runGroupOperations(fixture, { owner, member, apiClient }),
    member,
  });
  await revokeSessions(fixture, member);
  await changeSecrets(fixture);
  return { owner, member: await logIn(fixture, member.username, passwordOf('member')), admin, apiClient, groupId };
}

async function runAdminOperations(fixture: CanaryFixture, admin: TestUser, member: TestUser): Promise<TestClient> {
  const makeKey = (): Promise<{ secret: string; apiKey: { id: string } }> =>
    run(fixture, admin, 'createApiKey', {
      input: {
        name: `${TEXT} matcher`,
        scopes: ['GROUPS_READ', 'RESPONSES_WRITE', 'SCORES_WRITE'],
        expiresAt: '2099-01-01T00:00:00Z',
      },
    });
  const activeKey = await makeKey();
  await run(fixture, admin, 'revokeApiKey', { input: { apiKeyId: (await makeKey()).apiKey.id } });
  await run(fixture, admin, 'apiKeys');
  await run(fixture, admin, 'auditEvents', { userId: member.id });
  await run(fixture, admin, 'users', { search: addressOf('member') });
  await retryOne(fixture, admin);
  const other = await registerMarkedUser(fixture, 'other');
  await run(fixture, admin, 'setUserRole', { input: { userId: other.id, role: 'ADMIN' } });
  await run(fixture, admin, 'setUserRole', { input: { userId: other.id, role: 'USER' } });
  await run(fixture, admin, 'setUserDisabled', { input: { userId: other.id, disabled: true } });
  return fixture.anonymous.with(activeKey.secret);
}

async function retryOne(fixture: CanaryFixture, admin: TestUser): Promise<void> {
  await fixture.waitForTasks();
  const [failed] = await fixture.sql<{ id: string }>(
    `
      update outbox_task set status = 'FAILED'
      where id = (select id from outbox_task where registered_user_id is not null and status = 'DONE'
        and name = 'verify_email' limit 1)
      returning id`,
  );
  await run(fixture, admin, 'followUps', { status: 'FAILED' });
  await run(fixture, admin, 'retryFollowUp', { input: { followUpId: failed?.id } });
}

type GroupActors = Pick<CanaryActors, 'owner' | 'member' | 'apiClient'>;

async function runGroupOperations(fixture: CanaryFixture, { owner, member, apiClient }: GroupActors): Promise<string> {
  const name = (what: string): string => `${what}-${fixture.number()}`;
  const [guest, late, gone] = [name('guest'), name('late'), name('gone')];
  const {
    group: { id: groupId },
  } = await run<{ group: { id: string } }>(fixture, owner, 'createGroup', {
    input: { name: `${TEXT} club`, description: `${TEXT}\r\nwith lines` },
  });
  const { results } = await run<{ results: { invitation: { id: string } | null }[] }>(fixture, owner, 'inviteToGroup', {
    input: {
      groupId,
      invitees: [{ username: member.username }, ...[guest, late, gone].map((each) => ({ email: addressOf(each) }))],
    },
  });
  const [secret, lateSecret] = [await fixture.linkTo(addressOf(guest)), await fixture.linkTo(addressOf(late))];
  await run(fixture, fixture.anonymous, 'invitation', { secret });
  await registerMarkedUser(fixture, guest, { invitation: secret });
  await run(fixture, await registerMarkedUser(fixture, late), 'claimInvitation', { input: { secret: lateSecret } });
  await run(fixture, owner, 'revokeInvitation', { input: { invitationId: results[3]?.invitation?.id } });
  await run(fixture, owner, 'updateGroup', {
    input: { groupId, name: `${TEXT} renamed`, respondBy: '2099-01-01T00:00:00Z' },
  });
  await run(fixture, owner, 'group', { id: groupId });
  await run(fixture, owner, 'user', { id: member.id });
  await run(fixture, owner, 'node', { id: groupId });
  await run(fixture, owner, 'nodes', { ids: [groupId, member.id] });
  await run(fixture, member, 'updateMemberStatus', { input: { groupId, userId: member.id, status: 'ACCEPTED' } });
  await run(fixture, apiClient, 'updateMemberStatus', { input: { groupId, userId: member.id, status: 'DECLINED' } });
  await run(fixture, apiClient, 'recordCompatibilityScore', { input: { groupId, value: 50, source: `${TEXT} model` } });
  await readChanges(fixture, owner, groupId);
  return groupId;
}

async function readChanges(fixture: CanaryFixture, owner: TestUser, groupId: string): Promise<void> {
  const feed = await subscribe(fixture.service, owner.token, groupId, { afterRevision: 0, method: 'GET' });
  await feed.waitForChanges(1);
  fixture.succeeded.set('groupChanged', 1);
  feed.disconnect();
  await feed.ended;
}

async function useRest(
  fixture: CanaryFixture,
  { owner, member, groupId }: Pick<CanaryActors, 'owner' | 'member' | 'groupId'>,
): Promise<void> {
  const username = `${TEXT}-rest`;
  const password = SHAPES.password(SECRET, 77);
  const ask = (client: TestClient, route: string, json?: object, path = route): Promise<unknown> => {
    const [method = '', template = ''] = path.split(' ');
    const filled = template.replace(':group_id', groupId).replace(':user_id', member.id);
    return fixture.send(client, {
      method,
      path: filled,
      route,
      headers: markedHeaders(fixture),
      ...(json === undefined ? {} : { json }),
    });
  };
  await ask(fixture.anonymous, 'POST /api/auth/register', {
    username,
    password,
    email: addressOf('rest'),
    display_name: `${TEXT} rest`,
  });
  await ask(fixture.anonymous, 'POST /api/auth/token', { username, password, grant_type: 'password' });
  const { refreshToken } = await run<{ refreshToken: string }>(fixture, fixture.anonymous, 'issueToken', {
    input: { username, password },
  });
  await ask(fixture.anonymous, 'POST /api/auth/revoke', { token: refreshToken, token_type_hint: `${SECRET} hint` });
  await ask(owner, 'GET /api/auth/me');
  await ask(owner, 'GET /api/groups/:group_id/accepted-count');
  await ask(owner, 'GET /api/groups/:group_id/members', undefined, 'GET /api/groups/:group_id/members?limit=1');
  await ask(owner, 'GET /api/groups/:group_id/compatibility_score');
  await ask(member, 'PATCH /api/groups/:group_id/users/:user_id/status', { status: 'tentative' });
}

async function endMemberships(
  fixture: CanaryFixture,
  { owner, member, groupId }: Pick<CanaryActors, 'owner' | 'member' | 'groupId'>,
): Promise<void> {
  const role = (to: string): Promise<unknown> =>
    run(fixture, owner, 'changeMemberRole', { input: { groupId, userId: member.id, role: to } });
  await role('OWNER');
  await role('MEMBER');
  await run(fixture, member, 'leaveGroup', { input: { groupId } });
  await run(fixture, owner, 'inviteToGroup', { input: { groupId, invitees: [{ userId: member.id }] } });
  await run(fixture, owner, 'removeMember', { input: { groupId, userId: member.id } });
  await run(fixture, owner, 'cancelGroup', { input: { groupId } });
}

async function revokeSessions(fixture: CanaryFixture, member: TestUser): Promise<void> {
  const input = { username: member.username, password: passwordOf('member') };
  const { refreshToken } = await run<{ refreshToken: string }>(fixture, fixture.anonymous, 'issueToken', { input });
  const renewed = await run<{ accessToken: string; refreshToken: string }>(fixture, fixture.anonymous, 'refreshToken', {
    input: { refreshToken },
  });
  const { sessions } = await run<{ sessions: { id: string }[] }>(fixture, member, 'me');
  await run(fixture, member, 'revokeSession', { input: { sessionId: sessions[0]?.id } });
  await run(fixture, fixture.anonymous.with(renewed.accessToken), 'revokeToken', {
    input: { refreshToken: renewed.refreshToken, everywhere: true },
  }).catch(() => undefined);
  await run(fixture, fixture.anonymous, 'revokeToken', {
    input: { refreshToken: renewed.refreshToken, everywhere: true },
  });
}

async function changeSecrets(fixture: CanaryFixture): Promise<void> {
  const changing = await registerMarkedUser(fixture, 'changing');
  await run(fixture, changing, 'requestEmailVerification');
  await verifyAddress(fixture, addressOf('changing'));
  await run(fixture, changing, 'updateProfile', {
    input: { displayName: `${TEXT} new`, email: addressOf('changed'), currentPassword: passwordOf('changing') },
  });
  await verifyAddress(fixture, addressOf('changed'));
  await run(fixture, changing, 'changePassword', {
    input: { currentPassword: passwordOf('changing'), newPassword: SHAPES.password(SECRET, 1_000) },
  });
  await run(fixture, fixture.anonymous, 'requestPasswordReset', { input: { email: addressOf('changed') } });
  await run(fixture, fixture.anonymous, 'resetPassword', {
    input: { secret: await fixture.linkTo(addressOf('changed')), newPassword: SHAPES.password(SECRET, 1_001) },
  });
  const leaving = await logIn(fixture, changing.username, SHAPES.password(SECRET, 1_001));
  await run(fixture, leaving, 'deleteAccount', { input: { password: SHAPES.password(SECRET, 1_001) } });
}
