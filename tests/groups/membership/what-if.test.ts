import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '../../../src/accounts/index.js';
import { MINUTE_MS } from '../../../src/async/durations.js';
import { DomainError } from '../../../src/errors/index.js';
import {
  cancelGroup,
  getGroup,
  getInvitedGroup,
  listInbox,
  RESPONSE_STATUSES,
  updateMemberStatus,
  whatIf,
  type GroupState,
  type ResponseStatus,
} from '../../../src/groups/index.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { readHistoryRows } from '../../support/groups/group-invariants.js';
import {
  ANONYMOUS,
  createGroupsFixture,
  createGroupWithMembers,
  createUser,
  createUsers,
  serviceActor,
  type GroupsFixture,
} from '../../support/groups/groups-fixture.js';
import { assignEmail, createInvitingGroup, uniqueEmail } from '../../support/groups/invitation-fixture.js';

let world: GroupsFixture;
beforeAll(async () => {
  world = await createGroupsFixture();
});
afterAll(() => world.close());

const answer = fc.constantFrom(...RESPONSE_STATUSES);

describe('whatIf', () => {
  it('returns the state after the response, or the current state when it is not accepted', async () => {
    const scenario = fc.record({
      answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
      supposed: answer,
      quorum: fc.option(fc.integer({ min: 1, max: 5 })),
      closing: fc.constantFrom('open', 'past the deadline', 'recorded', 'cancelled'),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ answers, supposed, quorum, closing }) => {
        const [owner, ...guests] = await createUsers(world, answers.length + 1);
        const dated = closing === 'past the deadline' || closing === 'recorded';
        const groupId = await createGroupWithMembers(world, owner, guests, {
          quorum,
          respondBy: dated ? world.clock.in(MINUTE_MS) : null,
        });
        for (const [index, guest] of guests.entries()) {
          await updateMemberStatus(world.deps, guest, {
            groupId,
            userId: guest.userId,
            status: answers[index] ?? 'PENDING',
          });
        }
        if (dated) world.clock.advance(2 * MINUTE_MS);
        if (closing === 'recorded')
          await updateMemberStatus(world.deps, owner, { groupId, userId: owner.userId, status: 'DECLINED' });
        if (closing === 'cancelled') await cancelGroup(world.deps, owner, { groupId });
        const [guest = owner] = guests;
        const group = await getGroup(world.deps, owner, groupId);
        const foreseen = await whatIf(world.deps, owner, group, { userId: guest.userId, status: supposed });
        expect(await getGroup(world.deps, owner, groupId)).toEqual(group);
        expect(foreseen).toBe(await stateOnceAnswered(groupId, guest, supposed, group.state));
      }),
      { numRuns: 25 },
    );
  });

  it('returns the current state of a closed group, unless the response is DECLINED', async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [guest], {
      quorum: 1,
      respondBy: world.clock.in(MINUTE_MS),
    });
    const late = await createGroupWithMembers(world, owner, [guest], { respondBy: world.clock.in(MINUTE_MS) });
    world.clock.advance(MINUTE_MS);
    const foresee = async (id: string, { userId }: typeof guest, status: ResponseStatus) =>
      whatIf(world.deps, owner, await getGroup(world.deps, owner, id), { userId, status });
    expect(await foresee(late, guest, 'ACCEPTED')).toBe('EXPIRED');
    expect(await foresee(groupId, owner, 'TENTATIVE')).toBe('CONFIRMED');
    expect(await foresee(groupId, owner, 'DECLINED')).toBe('EXPIRED');
    await cancelGroup(world.deps, owner, { groupId });
    expect(await foresee(groupId, owner, 'DECLINED')).toBe('CANCELLED');
  });

  it('writes nothing', async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    const before = await readHistoryRows(world, groupId);
    const group = await getGroup(world.deps, owner, groupId);
    expect(await whatIf(world.deps, owner, group, { userId: guest.userId, status: 'ACCEPTED' })).toBe('CONFIRMED');
    expect(await readHistoryRows(world, groupId)).toEqual(before);
    expect(group.counts.accepted).toBe(1);
  });

  it('requires read access to the group, and a member', async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    const group = await getGroup(world.deps, guest, groupId);
    const supposed = { userId: owner.userId, status: 'DECLINED' } as const;
    expect(await whatIf(world.deps, guest, group, supposed)).toBe('FAILED');
    expect(await whatIf(world.deps, serviceActor(['groups:read']), group, supposed)).toBe('FAILED');
    await expect(whatIf(world.deps, serviceActor(['responses:write']), group, supposed)).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
    await expect(whatIf(world.deps, ANONYMOUS, group, supposed)).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(whatIf(world.deps, guest, group, { ...supposed, userId: newId() })).rejects.toEqual(
      errorWithReason('MEMBER_NOT_FOUND'),
    );
  });

  it('throws GROUP_NOT_FOUND for an invitee', async () => {
    const { owner, invite } = await createInvitingGroup(world);
    const [address, invited] = [uniqueEmail(), await createUser(world)];
    await invite(address);
    await assignEmail(world, invited, address);
    const { nodes } = await listInbox(world.deps, invited.userId, { first: 1 });
    const group = await getInvitedGroup(world.deps, invited, nodes[0]!);
    await expect(whatIf(world.deps, invited, group, { userId: owner.userId, status: 'DECLINED' })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
  });
});

async function stateOnceAnswered(
  groupId: string,
  guest: { userId: string },
  status: ResponseStatus,
  otherwise: GroupState,
): Promise<GroupState> {
  try {
    return (
      await updateMemberStatus(world.deps, serviceActor(['responses:write']), { groupId, userId: guest.userId, status })
    ).group.state;
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
    return otherwise;
  }
}
