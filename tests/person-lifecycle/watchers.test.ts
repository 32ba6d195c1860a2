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

let fixture: GroupsFixture;
let deletion: DeletionFixture;
let feeding: { stop(): Promise<void> };
beforeAll(async () => {
  fixture = await createGroupsFixture();
  deletion = createDeletionFixture(fixture);
  feeding = await fixture.deps.changeFeed.start(fixture.url, {
    reportFailure: console.warn,
    reportSuccess: () => undefined,
  });
});
afterAll(async () => {
  await feeding.stop();
  await deletion.flushRevocations();
  await fixture.close();
});

function watch(actor: UserActor, groupId: string) {
  return watchGroup(fixture.deps, { actor, reauthenticate: () => Promise.resolve(actor) }, { groupId });
}

describe('subscriber of a group', () => {
  it('receives an anonymous revision when an account is deleted', async () => {
    const [owner, leaver] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [leaver]);
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
    const [owner] = await createUsers(fixture, 2);
    const changes = await watch(await createAdmin(fixture), await createGroupWithMembers(fixture, owner));
    await deletion.delete(owner);
    await expect(changes.next()).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    await changes.return?.();
  });
});
