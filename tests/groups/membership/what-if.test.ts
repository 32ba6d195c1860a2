import { describe, expect, it } from '@jest/globals';
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
  createGroupWithMembers,
  createUser,
  createUsers,
  serviceActor,
} from '../../support/groups/groups-fixture.js';
import { assignEmail, createInvitingGroup, uniqueEmail } from '../../support/groups/invitation-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

const response = fc.constantFrom(...RESPONSE_STATUSES);

describe('whatIf', () => {
  it('returns the state after the response, or the current state when it is not accepted', async () => {
    const scenario = fc.record({
      responses: fc.array(response, { minLength: 1, maxLength: 4 }),
      supposed: response,
      quorum: fc.option(fc.integer({ min: 1, max: 5 })),
      closing: fc.constantFrom('open', 'past the deadline', 'recorded', 'cancelled'),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ responses, supposed, quorum, closing }) => {
        const [owner, ...guests] = await createUsers(fixture, responses.length + 1);
        const dated = closing === 'past the deadline' || closing === 'recorded';
        const groupId = await createGroupWithMembers(fixture, owner, guests, {
          quorum,
          respondBy: dated ? fixture.clock.in(MINUTE_MS) : null,
        });
        for (const [index, guest] of guests.entries()) {
          await updateMemberStatus(fixture.deps, guest, {
            groupId,
            userId: guest.userId,
            status: responses[index] ?? 'PENDING',
          });
        }
        if (dated) fixture.clock.advance(2 * MINUTE_MS);
        if (closing === 'recorded')
          await updateMemberStatus(fixture.deps, owner, { groupId, userId: owner.userId, status: 'DECLINED' });
        if (closing === 'cancelled') await cancelGroup(fixture.deps, owner, { groupId });
        const [guest = owner] = guests;
        const group = await getGroup(fixture.deps, owner, groupId);
        const foreseen = await whatIf(fixture.deps, owner, group, { userId: guest.userId, status: supposed });
        expect(await getGroup(fixture.deps, owner, groupId)).toEqual(group);
        expect(foreseen).toBe(await stateOnceAnswered(groupId, guest, supposed, group.state));
      }),
      { numRuns: 25 },
    );
  });

  it('returns the current state of a closed group, unless the response is DECLINED', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest], {
      quorum: 1,
      respondBy: fixture.clock.in(MINUTE_MS),
    });
    const late = await createGroupWithMembers(fixture, owner, [guest], { respondBy: fixture.clock.in(MINUTE_MS) });
    fixture.clock.advance(MINUTE_MS);
    const foresee = async (id: string, { userId }: typeof guest, status: ResponseStatus) =>
      whatIf(fixture.deps, owner, await getGroup(fixture.deps, owner, id), { userId, status });
    expect(await foresee(late, guest, 'ACCEPTED')).toBe('EXPIRED');
    expect(await foresee(groupId, owner, 'TENTATIVE')).toBe('CONFIRMED');
    expect(await foresee(groupId, owner, 'DECLINED')).toBe('EXPIRED');
    await cancelGroup(fixture.deps, owner, { groupId });
    expect(await foresee(groupId, owner, 'DECLINED')).toBe('CANCELLED');
  });

  it('writes nothing', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const before = await readHistoryRows(fixture, groupId);
    const group = await getGroup(fixture.deps, owner, groupId);
    expect(await whatIf(fixture.deps, owner, group, { userId: guest.userId, status: 'ACCEPTED' })).toBe('CONFIRMED');
    expect(await readHistoryRows(fixture, groupId)).toEqual(before);
    expect(group.counts.accepted).toBe(1);
  });

  it('requires read access to the group, and a member', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const group = await getGroup(fixture.deps, guest, groupId);
    const supposed = { userId: owner.userId, status: 'DECLINED' } as const;
    expect(await whatIf(fixture.deps, guest, group, supposed)).toBe('FAILED');
    expect(await whatIf(fixture.deps, serviceActor(['groups:read']), group, supposed)).toBe('FAILED');
    await expect(whatIf(fixture.deps, serviceActor(['responses:write']), group, supposed)).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
    await expect(whatIf(fixture.deps, ANONYMOUS, group, supposed)).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(whatIf(fixture.deps, guest, group, { ...supposed, userId: newId() })).rejects.toEqual(
      errorWithReason('MEMBER_NOT_FOUND'),
    );
  });

  it('throws GROUP_NOT_FOUND for an invitee', async () => {
    const { owner, invite } = await createInvitingGroup(fixture);
    const [address, invited] = [uniqueEmail(), await createUser(fixture)];
    await invite(address);
    await assignEmail(fixture, invited, address);
    const { nodes } = await listInbox(fixture.deps, invited.userId, { first: 1 });
    const group = await getInvitedGroup(fixture.deps, invited, nodes[0]!);
    await expect(whatIf(fixture.deps, invited, group, { userId: owner.userId, status: 'DECLINED' })).rejects.toEqual(
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
      await updateMemberStatus(fixture.deps, serviceActor(['responses:write']), {
        groupId,
        userId: guest.userId,
        status,
      })
    ).group.state;
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
    return otherwise;
  }
}
