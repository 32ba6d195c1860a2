import type { TestClient } from '../../support/http/test-client.js';
import { subscribe } from '../../support/http/test-subscription.js';
import type { TestUser } from '../../support/service/test-users.js';
import type { CanaryWorld } from './canary-fixture.js';
import { addressOf, enter, enterAsAdmin, logIn, passwordOf, prove, run, talkative } from './canary-users.js';
import { SECRET, SHAPES, TEXT } from './marks.js';

/** The actors after every operation has run once. All their tokens are valid. */
export interface CanaryActors {
  readonly owner: TestUser;
  readonly member: TestUser;
  readonly admin: TestUser;
  readonly program: TestClient;
  /** A group of `owner`, with `member` in it. */
  readonly groupId: string;
}

/** Runs every operation successfully, over both transports. */
export async function runHappyPaths(world: CanaryWorld): Promise<CanaryActors> {
  const owner = await enter(world, 'owner');
  const member = await enter(world, 'member');
  const admin = await enterAsAdmin(world, 'admin');
  await prove(world, addressOf('owner'));
  const program = await administer(world, admin, member);
  const groupId = await meet(world, { owner, member, program });
  await useRest(world, { owner, member, groupId });
  await part(world, { owner, groupId: await meet(world, { owner, member, program }), member });
  await endSessions(world, member);
  await changeSecrets(world);
  return { owner, member: await logIn(world, member.username, passwordOf('member')), admin, program, groupId };
}

async function administer(world: CanaryWorld, admin: TestUser, member: TestUser): Promise<TestClient> {
  const makeKey = (): Promise<{ secret: string; apiKey: { id: string } }> =>
    run(world, admin, 'createApiKey', {
      input: {
        name: `${TEXT} matcher`,
        scopes: ['GROUPS_READ', 'RESPONSES_WRITE', 'SCORES_WRITE'],
        expiresAt: '2099-01-01T00:00:00Z',
      },
    });
  const kept = await makeKey();
  await run(world, admin, 'revokeApiKey', { input: { apiKeyId: (await makeKey()).apiKey.id } });
  await run(world, admin, 'apiKeys');
  await run(world, admin, 'auditEvents', { userId: member.id });
  await run(world, admin, 'users', { search: addressOf('member') });
  await retryOne(world, admin);
  const other = await enter(world, 'other');
  await run(world, admin, 'setUserRole', { input: { userId: other.id, role: 'ADMIN' } });
  await run(world, admin, 'setUserRole', { input: { userId: other.id, role: 'USER' } });
  await run(world, admin, 'setUserDisabled', { input: { userId: other.id, disabled: true } });
  return world.anyone.with(kept.secret);
}

async function retryOne(world: CanaryWorld, admin: TestUser): Promise<void> {
  await world.worked();
  const [failed] = await world.sql<{ id: string }>(
    `
      update outbox_task set status = 'FAILED'
      where id = (select id from outbox_task where registered_user_id is not null and status = 'DONE'
        and name = 'verify_email' limit 1)
      returning id`,
  );
  await run(world, admin, 'followUps', { status: 'FAILED' });
  await run(world, admin, 'retryFollowUp', { input: { followUpId: failed?.id } });
}

type Friends = Pick<CanaryActors, 'owner' | 'member' | 'program'>;

async function meet(world: CanaryWorld, { owner, member, program }: Friends): Promise<string> {
  const name = (what: string): string => `${what}-${world.number()}`;
  const [guest, late, gone] = [name('guest'), name('late'), name('gone')];
  const {
    group: { id: groupId },
  } = await run<{ group: { id: string } }>(world, owner, 'createGroup', {
    input: { name: `${TEXT} club`, description: `${TEXT}\r\nwith lines` },
  });
  const { results } = await run<{ results: { invitation: { id: string } | null }[] }>(world, owner, 'inviteToGroup', {
    input: {
      groupId,
      invitees: [{ username: member.username }, ...[guest, late, gone].map((each) => ({ email: addressOf(each) }))],
    },
  });
  const [secret, lateSecret] = [await world.linkTo(addressOf(guest)), await world.linkTo(addressOf(late))];
  await run(world, world.anyone, 'invitation', { secret });
  await enter(world, guest, { invitation: secret });
  await run(world, await enter(world, late), 'claimInvitation', { input: { secret: lateSecret } });
  await run(world, owner, 'revokeInvitation', { input: { invitationId: results[3]?.invitation?.id } });
  await run(world, owner, 'updateGroup', {
    input: { groupId, name: `${TEXT} renamed`, respondBy: '2099-01-01T00:00:00Z' },
  });
  await run(world, owner, 'group', { id: groupId });
  await run(world, owner, 'user', { id: member.id });
  await run(world, member, 'updateMemberStatus', { input: { groupId, userId: member.id, status: 'ACCEPTED' } });
  await run(world, program, 'updateMemberStatus', { input: { groupId, userId: member.id, status: 'DECLINED' } });
  await run(world, program, 'recordCompatibilityScore', { input: { groupId, value: 50, source: `${TEXT} model` } });
  await follow(world, owner, groupId);
  return groupId;
}

async function follow(world: CanaryWorld, owner: TestUser, groupId: string): Promise<void> {
  const feed = await subscribe(world.service, owner.token, groupId, { afterRevision: 0, method: 'GET' });
  await feed.heard(1);
  world.succeeded.set('groupChanged', 1);
  feed.leave();
  await feed.ended;
}

async function useRest(
  world: CanaryWorld,
  { owner, member, groupId }: Pick<CanaryActors, 'owner' | 'member' | 'groupId'>,
): Promise<void> {
  const username = `${TEXT}-rest`;
  const password = SHAPES.password(SECRET, 77);
  const ask = (by: TestClient, route: string, json?: object, path = route): Promise<unknown> => {
    const [method = '', template = ''] = path.split(' ');
    const filled = template.replace(':group_id', groupId).replace(':user_id', member.id);
    return world.send(by, {
      method,
      path: filled,
      route,
      headers: talkative(world),
      ...(json === undefined ? {} : { json }),
    });
  };
  await ask(world.anyone, 'POST /api/auth/register', {
    username,
    password,
    email: addressOf('rest'),
    display_name: `${TEXT} rest`,
  });
  await ask(world.anyone, 'POST /api/auth/token', { username, password, grant_type: 'password' });
  const { refreshToken } = await run<{ refreshToken: string }>(world, world.anyone, 'issueToken', {
    input: { username, password },
  });
  await ask(world.anyone, 'POST /api/auth/revoke', { token: refreshToken, token_type_hint: `${SECRET} hint` });
  await ask(owner, 'GET /api/auth/me');
  await ask(owner, 'GET /api/groups/:group_id/accepted-count');
  await ask(owner, 'GET /api/groups/:group_id/members', undefined, 'GET /api/groups/:group_id/members?limit=1');
  await ask(owner, 'GET /api/groups/:group_id/compatibility_score');
  await ask(member, 'PATCH /api/groups/:group_id/users/:user_id/status', { status: 'tentative' });
}

async function part(
  world: CanaryWorld,
  { owner, member, groupId }: Pick<CanaryActors, 'owner' | 'member' | 'groupId'>,
): Promise<void> {
  const role = (to: string): Promise<unknown> =>
    run(world, owner, 'changeMemberRole', { input: { groupId, userId: member.id, role: to } });
  await role('OWNER');
  await role('MEMBER');
  await run(world, member, 'leaveGroup', { input: { groupId } });
  await run(world, owner, 'inviteToGroup', { input: { groupId, invitees: [{ userId: member.id }] } });
  await run(world, owner, 'removeMember', { input: { groupId, userId: member.id } });
  await run(world, owner, 'cancelGroup', { input: { groupId } });
}

async function endSessions(world: CanaryWorld, member: TestUser): Promise<void> {
  const input = { username: member.username, password: passwordOf('member') };
  const { refreshToken } = await run<{ refreshToken: string }>(world, world.anyone, 'issueToken', { input });
  const renewed = await run<{ accessToken: string; refreshToken: string }>(world, world.anyone, 'refreshToken', {
    input: { refreshToken },
  });
  const { sessions } = await run<{ sessions: { id: string }[] }>(world, member, 'me');
  await run(world, member, 'revokeSession', { input: { sessionId: sessions[0]?.id } });
  await run(world, world.anyone.with(renewed.accessToken), 'revokeToken', {
    input: { refreshToken: renewed.refreshToken, everywhere: true },
  }).catch(() => undefined);
  await run(world, world.anyone, 'revokeToken', { input: { refreshToken: renewed.refreshToken, everywhere: true } });
}

async function changeSecrets(world: CanaryWorld): Promise<void> {
  const changing = await enter(world, 'changing');
  await run(world, changing, 'requestEmailVerification');
  await prove(world, addressOf('changing'));
  await run(world, changing, 'updateProfile', {
    input: { displayName: `${TEXT} new`, email: addressOf('changed'), currentPassword: passwordOf('changing') },
  });
  await prove(world, addressOf('changed'));
  await run(world, changing, 'changePassword', {
    input: { currentPassword: passwordOf('changing'), newPassword: SHAPES.password(SECRET, 1_000) },
  });
  await run(world, world.anyone, 'requestPasswordReset', { input: { email: addressOf('changed') } });
  await run(world, world.anyone, 'resetPassword', {
    input: { secret: await world.linkTo(addressOf('changed')), newPassword: SHAPES.password(SECRET, 1_001) },
  });
  const leaving = await logIn(world, changing.username, SHAPES.password(SECRET, 1_001));
  await run(world, leaving, 'deleteAccount', { input: { password: SHAPES.password(SECRET, 1_001) } });
}
