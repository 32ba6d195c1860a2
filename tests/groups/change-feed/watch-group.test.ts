import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import type { Actor, UserActor } from '../../../src/accounts/index.js';
import { inTransaction } from '../../../src/database/index.js';
import {
  ChangeFeed,
  Group,
  inviteToGroup,
  removeMember,
  updateGroup,
  updateMemberStatus,
  watchGroup,
  type GroupChangeView,
  type SubscriptionCaller,
} from '../../../src/groups/index.js';
import { withClient } from '../../support/database/test-database.js';
import { errorWithFields, errorWithReason } from '../../support/error-matchers.js';
import {
  ANONYMOUS,
  createAdmin,
  createGroupsFixture,
  createGroupWithMembers,
  createUser,
  createUsers,
  serviceActor,
  type GroupsFixture,
} from '../../support/groups/groups-fixture.js';
import { waitUntil } from '../../support/wait-until.js';

type Watch = AsyncIterableIterator<GroupChangeView, undefined>;

let fixture: GroupsFixture;
let feeding: { stop(): Promise<void> };
const open: Watch[] = [];

beforeAll(async () => {
  fixture = await createGroupsFixture();
  feeding = await fixture.deps.changeFeed.start(fixture.url, {
    reportFailure: console.warn,
    reportSuccess: () => undefined,
  });
});
afterEach(async () => {
  for (const watch of open.splice(0)) await watch.return?.();
  expect(fixture.deps.changeFeed.subscriberCount).toBe(0);
});
afterAll(async () => {
  await feeding.stop();
  await fixture.close();
});

const live = (actor: Actor): SubscriptionCaller => ({ actor, reauthenticate: () => Promise.resolve(actor) });

async function watch(caller: Actor | SubscriptionCaller, groupId: string, afterRevision?: number): Promise<Watch> {
  const begun = await watchGroup(fixture.deps, 'reauthenticate' in caller ? caller : live(caller), {
    groupId,
    afterRevision,
  });
  open.push(begun);
  return begun;
}

async function take(changes: Watch, count: number): Promise<GroupChangeView[]> {
  const taken: GroupChangeView[] = [];
  while (taken.length < count) {
    const { done, value } = await changes.next();
    if (done === true) throw new Error(`ended after ${taken.length} changes`);
    taken.push(value);
  }
  return taken;
}

const revisions = async (changes: Promise<GroupChangeView[]>): Promise<number[]> =>
  (await changes).map(({ revision }) => revision);

async function rename(owner: UserActor, groupId: string, times: number): Promise<void> {
  for (let time = 1; time <= times; time += 1)
    await updateGroup(fixture.deps, owner, { groupId, name: `Name ${Math.random()}` });
}

describe('watchGroup', () => {
  it('returns new changes with their results', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const changes = await watch(guest, groupId);
    await updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    expect((await changes.next()).value).toEqual({
      groupId,
      revision: 3,
      cause: 'RESPONSE',
      actorId: guest.userId,
      apiKey: null,
      subjectId: guest.userId,
      status: 'ACCEPTED',
      before: 'FORMING',
      after: 'CONFIRMED',
      counts: { pending: 0, accepted: 2, tentative: 0, declined: 0, openInvitations: 0, lapsedInvitations: 0 },
      at: fixture.clock.now(),
    });
  });

  it('waits for beforeEvent and then authorizes before it returns a change', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    let allow: () => void = () => undefined;
    const beforeEvent = jest.fn(
      () =>
        new Promise<void>((resolve) => {
          allow = resolve;
        }),
    );
    const changes = await watch({ ...live(guest), beforeEvent }, groupId);
    expect(beforeEvent).not.toHaveBeenCalled();
    const next = changes.next();
    await rename(owner, groupId, 1);
    await waitUntil('the wait before the change', () => beforeEvent.mock.calls.length === 1);
    await removeMember(fixture.deps, owner, { groupId, userId: guest.userId });
    allow();
    await expect(next).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
  });

  it('returns all missed changes first', async () => {
    const [owner, ...guests] = await createUsers(fixture, 251);
    const groupId = await createGroupWithMembers(fixture, owner, guests);
    const changes = await watch(owner, groupId, 1);
    await rename(owner, groupId, 1);
    expect(await revisions(take(changes, 251))).toEqual(Array.from({ length: 251 }, (_, index) => index + 2));
  });

  it('serves all subscribers with one read of the history and one access check', async () => {
    const [owner, ...guests] = await createUsers(fixture, 41);
    const groupId = await createGroupWithMembers(fixture, owner, guests);
    const listeners = await Promise.all(guests.map((guest) => watch(guest, groupId)));
    // The first change may come from a poll of each subscriber; the second comes with the notification to all.
    for (let turn = 1; turn <= 2; turn += 1) {
      await rename(owner, groupId, 1);
      await Promise.all(listeners.map((changes) => changes.next()));
    }
    const waiting = listeners.map((changes) => changes.next());
    const query = jest.spyOn(pg.Client.prototype, 'query');
    await appendUnannounced(groupId);
    fixture.deps.changeFeed.publish(groupId, 44);
    await Promise.all(waiting);
    const names = query.mock.calls.map(([sent]: readonly unknown[]) => (sent as { name?: string }).name);
    query.mockRestore();
    expect(names.filter((name) => name === 'history')).toHaveLength(1);
    // A second time when the regular look falls into this one.
    expect(names.filter((name) => name === 'group_access').length).toBeLessThanOrEqual(2);
  });

  it('returns changes whose notification was lost', async () => {
    const owner = await createUser(fixture);
    const groupId = await createGroupWithMembers(fixture, owner);
    const changes = await watch(owner, groupId);
    const waiting = take(changes, 1);
    await appendUnannounced(groupId);
    expect(await revisions(waiting)).toEqual([2]);
  });

  it('returns a change once when it is published repeatedly', async () => {
    const owner = await createUser(fixture);
    const groupId = await createGroupWithMembers(fixture, owner);
    const changes = await watch(owner, groupId);
    await rename(owner, groupId, 1);
    for (const revision of [1, 2, 2, 7, null]) fixture.deps.changeFeed.publish(groupId, revision);
    await rename(owner, groupId, 1);
    expect(await revisions(take(changes, 2))).toEqual([2, 3]);
  });

  it('waits for a slow subscriber without delaying others', async () => {
    const [owner, ...guests] = await createUsers(fixture, 301);
    const groupId = await createGroupWithMembers(fixture, owner);
    const [slow, quick] = [await watch(owner, groupId), await watch(owner, groupId)];
    await inviteToGroup(fixture.deps, owner, { groupId, invitees: guests.map(({ userId }) => ({ userId })) });
    const all = Array.from({ length: 300 }, (_, index) => index + 2);
    expect(await revisions(take(quick, 300))).toEqual(all);
    expect(await revisions(take(slow, 300))).toEqual(all);
  });

  it('ends immediately at return(), also while next() is pending', async () => {
    const owner = await createUser(fixture);
    const changes = await watch(owner, await createGroupWithMembers(fixture, owner));
    const waiting = changes.next();
    await changes.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await changes.next()).toEqual({ done: true, value: undefined });
    expect(fixture.deps.changeFeed.subscriberCount).toBe(0);
  });
});

/** As a writer would leave it that died between its commit and the notice. */
async function appendUnannounced(groupId: string): Promise<void> {
  await fixture.sql('update groups set revision = revision + 1 where id = $1', [groupId]);
  await fixture.sql(
    `insert into group_change (group_id, revision, cause, state_before, state_after, at)
     select id, revision, 'RENAMED', state, state, now() from groups where id = $1`,
    [groupId],
  );
}

describe('authorization of watchGroup', () => {
  it('rejects anonymous callers', async () => {
    const groupId = await createGroupWithMembers(fixture, await createUser(fixture));
    await expect(watch(ANONYMOUS, groupId)).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
  });

  it('throws GROUP_NOT_FOUND for non-members', async () => {
    const [owner, stranger] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    await expect(watch(stranger, groupId)).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    await expect(watch(owner, '01890000-0000-7000-8000-000000000000')).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
  });

  it('allows administrators and API clients with groups:read', async () => {
    const groupId = await createGroupWithMembers(fixture, await createUser(fixture));
    await watch(await createAdmin(fixture), groupId);
    await watch(serviceActor(['groups:read']), groupId);
    await watch(serviceActor(['groups:read'], [groupId]), groupId);
    await expect(watch(serviceActor(['scores:write']), groupId)).rejects.toEqual(errorWithReason('SCOPE_REQUIRED'));
    await expect(watch(serviceActor(['groups:read'], []), groupId)).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
  });

  it.each([-1, 2])('rejects afterRevision %d that the group has not reached', async (revision) => {
    const owner = await createUser(fixture);
    const groupId = await createGroupWithMembers(fixture, owner);
    await expect(watch(owner, groupId, revision)).rejects.toEqual(errorWithFields('afterRevision'));
  });
});

describe('end of a subscription', () => {
  it('comes before the change that removes the member is returned', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const [theirs, ownersOwn] = [await watch(guest, groupId), await watch(owner, groupId)];
    await removeMember(fixture.deps, owner, { groupId, userId: guest.userId });
    await expect(theirs.next()).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    expect(await theirs.next()).toEqual({ done: true, value: undefined });
    expect(await take(ownersOwn, 1)).toMatchObject([{ cause: 'REMOVED', subjectId: guest.userId }]);
  });

  it('drops changes that were read before the removal', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const theirs = await watch(guest, groupId);
    await rename(owner, groupId, 5);
    await take(theirs, 1);
    const witness = await watch(owner, groupId);
    // The first change comes from a poll; later ones reach all subscribers with the notification.
    await rename(owner, groupId, 1);
    await take(witness, 1);
    await removeMember(fixture.deps, owner, { groupId, userId: guest.userId });
    await take(witness, 1);
    await expect(theirs.next()).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
  });

  it('does not come for a member who has rejoined before the check', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const theirs = await watch(guest, groupId);
    await removeMember(fixture.deps, owner, { groupId, userId: guest.userId });
    await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: guest.userId }] });
    expect(await take(theirs, 2)).toMatchObject([{ cause: 'REMOVED' }, { cause: 'INVITED' }]);
  });

  it('comes when the group is deleted, also without a notification', async () => {
    const admin = await createAdmin(fixture);
    const owner = await createUser(fixture);
    const [announced, unannounced] = [
      await createGroupWithMembers(fixture, owner),
      await createGroupWithMembers(fixture, owner),
    ];
    const watches = [await watch(admin, announced), await watch(admin, unannounced)];
    await inTransaction(fixture.deps.database, async (em) => {
      em.remove(await em.findOneOrFail(Group, announced));
    });
    await fixture.sql('delete from groups where id = $1', [unannounced]);
    for (const each of watches) await expect(each.next()).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
  });

  it('comes when the token expires, and drops pending changes', async () => {
    const owner = await createUser(fixture);
    const groupId = await createGroupWithMembers(fixture, owner);
    const changes = await watch({ ...owner, expiresAt: fixture.clock.in(1_000) }, groupId, 0);
    await rename(owner, groupId, 1);
    await take(changes, 1);
    fixture.clock.advance(1_000);
    await expect(changes.next()).rejects.toEqual(errorWithReason('TOKEN_EXPIRED'));
    await expect(watch({ ...owner, expiresAt: fixture.clock.now() }, groupId)).rejects.toEqual(
      errorWithReason('TOKEN_EXPIRED'),
    );
  });

  it('comes when the token is revoked without a change of the group', async () => {
    const owner = await createUser(fixture);
    let now: Actor = owner;
    const changes = await watch(
      { actor: owner, reauthenticate: () => Promise.resolve(now) },
      await createGroupWithMembers(fixture, owner),
    );
    const waiting = changes.next();
    now = ANONYMOUS;
    await expect(waiting).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
  });
});

describe('ChangeFeed.publish', () => {
  it('publishes each group once after a commit, and nothing after a rollback', async () => {
    const [owner, ...guests] = await createUsers(fixture, 21);
    const groupId = await createGroupWithMembers(fixture, owner);
    await fixture.deps.changeFeed.flush();
    await withClient(fixture.url, async (client) => {
      const received: (string | undefined)[] = [];
      client.on('notification', ({ payload }) => received.push(payload));
      await client.query('listen convene_group_changes');
      await expect(updateGroup(fixture.deps, owner, { groupId, name: 'New', expectedRevision: 99 })).rejects.toEqual(
        errorWithReason('REVISION_CHANGED'),
      );
      await inviteToGroup(fixture.deps, owner, { groupId, invitees: guests.map(({ userId }) => ({ userId })) });
      await waitUntil('the notice', () => received.length > 0);
      expect(received).toEqual([`${groupId} 21`]);
    });
  });
});

// The last: a second feed on one unit of work announces everything twice.
describe('ChangeFeed without notifications', () => {
  it('returns changes from before the connection', async () => {
    const owner = await createUser(fixture);
    const groupId = await createGroupWithMembers(fixture, owner);
    const { database, loaders } = fixture.deps;
    // Without notifications, only polls find changes.
    const changeFeed = new ChangeFeed({ database, loaders, onError: console.warn });
    const changes = await watchGroup({ ...fixture.deps, changeFeed }, live(owner), { groupId });
    await rename(owner, groupId, 1);
    expect(await revisions(take(changes, 1))).toEqual([2]);
    await changes.return?.();
    await changeFeed.flush();
  });
});
