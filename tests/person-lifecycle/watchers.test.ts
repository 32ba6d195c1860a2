import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { UserActor } from '../../src/accounts/index.js';
import { watchGroup } from '../../src/groups/index.js';
import { errorWithReason } from '../support/error-matchers.js';
import { createDeletionFixture, type DeletionFixture } from '../support/groups/deletion-fixture.js';
import {
  createAdmin,
  createGroupsFixture,
  createGroupWithMembers,
  createUsers,
  type GroupsFixture,
} from '../support/groups/groups-fixture.js';

let world: GroupsFixture;
let deletion: DeletionFixture;
let feeding: { stop(): Promise<void> };
beforeAll(async () => {
  world = await createGroupsFixture();
  deletion = createDeletionFixture(world);
  feeding = await world.deps.changeFeed.start(world.url, {
    reportFailure: console.warn,
    reportSuccess: () => undefined,
  });
});
afterAll(async () => {
  await feeding.stop();
  await deletion.flushRevocations();
  await world.close();
});

function watch(actor: UserActor, groupId: string) {
  return watchGroup(world.deps, { actor, reauthenticate: () => Promise.resolve(actor) }, { groupId });
}

describe('subscriber of a group', () => {
  it('receives an anonymous revision when an account is deleted', async () => {
    const [owner, leaver] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [leaver]);
    const changes = await watch(owner, groupId);
    await deletion.delete(leaver);
    expect((await changes.next()).value).toMatchObject({
      cause: 'ACCOUNT_DELETED',
      actorId: null,
      subjectId: null,
      status: null,
      counts: { pending: 0, accepted: 1 },
    });
    await changes.return?.();
  });

  it('receives the end of the group when its only member is deleted', async () => {
    const [owner] = await createUsers(world, 2);
    const changes = await watch(await createAdmin(world), await createGroupWithMembers(world, owner));
    await deletion.delete(owner);
    await expect(changes.next()).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    await changes.return?.();
  });
});
