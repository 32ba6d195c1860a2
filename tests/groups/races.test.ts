import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createGroup,
  getGroup,
  inviteToGroup,
  RESPONSE_STATUSES,
  updateGroup,
  updateMemberStatus,
  type ResponseStatus,
} from '../../src/groups/index.js';
import { expectGroupInvariants, readHistoryRows } from '../support/groups/group-invariants.js';
import {
  createGroupsFixture,
  createGroupWithMembers,
  createUsers,
  type GroupsFixture,
} from '../support/groups/groups-fixture.js';

let world: GroupsFixture;
beforeAll(async () => {
  world = await createGroupsFixture();
});
afterAll(() => world.close());

/** Runs the work with so many under way at any time. */
async function atOnce<T>(width: number, work: readonly (() => Promise<T>)[]): Promise<void> {
  const waiting = [...work];
  const runner = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await next();
  };
  await Promise.all(Array.from({ length: width }, runner));
}

describe('concurrent calls', () => {
  it("of one member's acceptance change it once and return the same (better-auth#9154)", async () => {
    const [owner, guest, other] = await createUsers(world, 3);
    const groupId = await createGroupWithMembers(world, owner, [guest, other]);
    const input = { groupId, userId: guest.userId, status: 'ACCEPTED' } as const;
    const answers = await Promise.all(Array.from({ length: 30 }, () => updateMemberStatus(world.deps, guest, input)));
    expect(answers.filter(({ changed }) => changed)).toHaveLength(1);
    expect(new Set(answers.map(({ member, group }) => JSON.stringify([member, group]))).size).toBe(1);
    const group = await expectGroupInvariants(world, groupId);
    expect(group).toMatchObject({ acceptedCount: 2, memberCount: 3, revision: 4 });
  });

  it('inviting one user create one member (clevis#270, cal.diy#29396)', async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        inviteToGroup(world.deps, owner, { groupId, invitees: [{ userId: guest.userId }] }),
      ),
    );
    expect(answers.map(({ results }) => results[0]?.outcome).toSorted()).toEqual([
      ...Array<string>(19).fill('ALREADY_MEMBER'),
      'INVITED',
    ]);
    expect(await expectGroupInvariants(world, groupId)).toMatchObject({ memberCount: 2, revision: 2 });
  });

  it('changing responses keep the counts exact (habitica#12275)', async () => {
    const [owner, ...guests] = await createUsers(world, 61);
    const groupId = await createGroupWithMembers(world, owner, guests, { quorum: 20 });
    const flips = guests.flatMap((guest, seat) =>
      Array.from({ length: 20 }, (_, turn) => () => {
        const status: ResponseStatus =
          RESPONSE_STATUSES[(seat * 7 + turn * turn + turn) % RESPONSE_STATUSES.length] ?? 'PENDING';
        return updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status });
      }),
    );
    await atOnce(40, flips);
    await expectGroupInvariants(world, groupId);
  });

  it('reaching a quorum record it once (talawa-api#3569)', async () => {
    const [owner, ...guests] = await createUsers(world, 21);
    const groupId = await createGroupWithMembers(world, owner, guests, { quorum: 11 });
    await Promise.all(
      guests.map((guest) =>
        updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' }),
      ),
    );
    await expectGroupInvariants(world, groupId);
    const confirmations = (await readHistoryRows(world, groupId)).filter(
      ({ state_before: before, state_after: after }) => before !== after && after === 'CONFIRMED',
    );
    expect(confirmations).toEqual([expect.objectContaining({ accepted_count: 11 })]);
  });

  it('changing one group in different ways are all recorded (mikro-orm#1703)', async () => {
    const [owner, ...guests] = await createUsers(world, 13);
    const groupId = await createGroupWithMembers(world, owner, guests.slice(0, 6));
    await Promise.all([
      ...guests
        .slice(0, 6)
        .map((guest) => updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' })),
      ...guests.slice(6).map(({ userId }) => inviteToGroup(world.deps, owner, { groupId, invitees: [{ userId }] })),
      ...[1, 2, 3].map((quorum) => updateGroup(world.deps, owner, { groupId, quorum: quorum + 20 })),
    ]);
    expect(await expectGroupInvariants(world, groupId)).toMatchObject({
      acceptedCount: 7,
      memberCount: 13,
      revision: 7 + 6 + 6 + 3,
    });
  });

  it('reading and writing return their own results (mikro-orm#2381, #470)', async () => {
    const [owner, ...guests] = await createUsers(world, 11);
    const created = await Promise.all(
      guests.map((guest, index) => createGroup(world.deps, guest, { name: `Group ${index}` })),
    );
    const groupId = await createGroupWithMembers(world, owner, guests);
    const reads = guests.map(async (guest, index) => {
      const own = await getGroup(world.deps, guest, created[index]?.group.id ?? '');
      expect([own.name, own.viewerMembership?.userId]).toEqual([`Group ${index}`, guest.userId]);
    });
    const writes = guests.map((guest) =>
      updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' }),
    );
    const answers = await Promise.all([...writes, ...reads]);
    expect(answers.slice(0, 10).map((answer) => answer?.member.userId)).toEqual(guests.map(({ userId }) => userId));
    expect(await expectGroupInvariants(world, groupId)).toMatchObject({ state: 'CONFIRMED', acceptedCount: 11 });
  });
});
