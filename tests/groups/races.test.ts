import { describe, expect, it } from '@jest/globals';
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
import { createGroupWithMembers, createUsers } from '../support/groups/groups-fixture.js';
import { useGroupsFixture } from '../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

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
    const [owner, guest, other] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest, other]);
    const input = { groupId, userId: guest.userId, status: 'ACCEPTED' } as const;
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => updateMemberStatus(fixture.deps, guest, input)),
    );
    expect(responses.filter(({ changed }) => changed)).toHaveLength(1);
    expect(new Set(responses.map(({ member, group }) => JSON.stringify([member, group]))).size).toBe(1);
    const group = await expectGroupInvariants(fixture, groupId);
    expect(group).toMatchObject({ acceptedCount: 2, memberCount: 3, revision: 4 });
  });

  it('inviting one user create one member (clevis#270, cal.diy#29396)', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: guest.userId }] }),
      ),
    );
    expect(responses.map(({ results }) => results[0]?.outcome).toSorted()).toEqual([
      ...Array<string>(19).fill('ALREADY_MEMBER'),
      'INVITED',
    ]);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ memberCount: 2, revision: 2 });
  });

  it('changing responses keep the counts exact (habitica#12275)', async () => {
    const [owner, ...guests] = await createUsers(fixture, 61);
    const groupId = await createGroupWithMembers(fixture, owner, guests, { quorum: 20 });
    const flips = guests.flatMap((guest, seat) =>
      Array.from({ length: 20 }, (_, turn) => () => {
        const status: ResponseStatus =
          RESPONSE_STATUSES[(seat * 7 + turn * turn + turn) % RESPONSE_STATUSES.length] ?? 'PENDING';
        return updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status });
      }),
    );
    await atOnce(40, flips);
    await expectGroupInvariants(fixture, groupId);
  });

  it('reaching a quorum record it once (talawa-api#3569)', async () => {
    const [owner, ...guests] = await createUsers(fixture, 21);
    const groupId = await createGroupWithMembers(fixture, owner, guests, { quorum: 11 });
    await Promise.all(
      guests.map((guest) =>
        updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' }),
      ),
    );
    await expectGroupInvariants(fixture, groupId);
    const confirmations = (await readHistoryRows(fixture, groupId)).filter(
      ({ state_before: before, state_after: after }) => before !== after && after === 'CONFIRMED',
    );
    expect(confirmations).toEqual([expect.objectContaining({ accepted_count: 11 })]);
  });

  it('changing one group in different ways are all recorded (mikro-orm#1703)', async () => {
    const [owner, ...guests] = await createUsers(fixture, 13);
    const groupId = await createGroupWithMembers(fixture, owner, guests.slice(0, 6));
    await Promise.all([
      ...guests
        .slice(0, 6)
        .map((guest) => updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' })),
      ...guests.slice(6).map(({ userId }) => inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId }] })),
      ...[1, 2, 3].map((quorum) => updateGroup(fixture.deps, owner, { groupId, quorum: quorum + 20 })),
    ]);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      acceptedCount: 7,
      memberCount: 13,
      revision: 7 + 6 + 6 + 3,
    });
  });

  it('reading and writing return their own results (mikro-orm#2381, #470)', async () => {
    const [owner, ...guests] = await createUsers(fixture, 11);
    const created = await Promise.all(
      guests.map((guest, index) => createGroup(fixture.deps, guest, { name: `Group ${index}` })),
    );
    const groupId = await createGroupWithMembers(fixture, owner, guests);
    const reads = guests.map(async (guest, index) => {
      const own = await getGroup(fixture.deps, guest, created[index]?.group.id ?? '');
      expect([own.name, own.viewerMembership?.userId]).toEqual([`Group ${index}`, guest.userId]);
    });
    const writes = guests.map((guest) =>
      updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' }),
    );
    const responses = await Promise.all([...writes, ...reads]);
    expect(responses.slice(0, 10).map((response) => response?.member.userId)).toEqual(
      guests.map(({ userId }) => userId),
    );
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ state: 'CONFIRMED', acceptedCount: 11 });
  });
});
