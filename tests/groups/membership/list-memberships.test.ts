import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { UserActor } from '../../../src/accounts/index.js';
import { MINUTE_MS } from '../../../src/async/durations.js';
import {
  cancelGroup,
  claimInvitation,
  GROUP_STATES,
  leaveGroup,
  listInbox,
  listMemberships,
  RESPONSE_STATUSES,
  updateMemberStatus,
  type GroupState,
  type ListMembershipsParams,
} from '../../../src/groups/index.js';
import { currentState } from '../../../src/groups/model/group-view.js';
import { countStatements } from '../../support/database/count-statements.js';
import { errorWithFields, errorWithReason } from '../../support/error-matchers.js';
import {
  ANONYMOUS,
  createAdmin,
  createGroupWithMembers,
  createUser,
  createUsers,
  serviceActor,
} from '../../support/groups/groups-fixture.js';
import { assignEmail, createInvitingGroup } from '../../support/groups/invitation-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

function listed(actor: UserActor, request: Partial<ListMembershipsParams> = {}) {
  return listMemberships(fixture.deps, actor, actor.userId, { first: 100, ...request });
}

describe('listMemberships', () => {
  it('returns all memberships with their groups, newest first, with two statements', async () => {
    const [owner, guest, other] = await createUsers(fixture, 3);
    const first = await createGroupWithMembers(fixture, owner, [guest]);
    fixture.clock.advance(1);
    const second = await createGroupWithMembers(fixture, guest, [other]);
    fixture.clock.advance(1);
    const third = await createGroupWithMembers(fixture, other, [guest], { quorum: 1 });
    const { result: page, statements } = await countStatements(() => listed(guest));
    expect(statements).toBe(2);
    expect(page.totalCount).toBe(3);
    expect(page.nodes).toMatchObject([
      {
        groupId: third,
        role: 'MEMBER',
        status: 'PENDING',
        invitedById: other.userId,
        user: { id: guest.userId },
        group: { id: third, state: 'CONFIRMED', memberCount: 2 },
      },
      {
        groupId: second,
        role: 'OWNER',
        status: 'ACCEPTED',
        invitedById: null,
        group: { id: second, viewerMembership: { role: 'OWNER' } },
      },
      { groupId: first, role: 'MEMBER', status: 'PENDING', group: { id: first, state: 'FORMING' } },
    ]);
  });

  it('filters by response (mcp-context-forge#6010)', async () => {
    const guest = await createUser(fixture);
    const owners = await createUsers(fixture, 4);
    const groupIds: string[] = [];
    for (const owner of owners) groupIds.push(await createGroupWithMembers(fixture, owner, [guest]));
    await updateMemberStatus(fixture.deps, guest, { groupId: groupIds[1]!, userId: guest.userId, status: 'ACCEPTED' });
    expect((await listed(guest, { status: 'PENDING' })).nodes.map(({ groupId }) => groupId).toSorted()).toEqual(
      [groupIds[0], groupIds[2], groupIds[3]].toSorted(),
    );
    await updateMemberStatus(fixture.deps, guest, { groupId: groupIds[0]!, userId: guest.userId, status: 'DECLINED' });
    await leaveGroup(fixture.deps, guest, { groupId: groupIds[2]! });
    const counts = await Promise.all(
      [...RESPONSE_STATUSES, null].map(async (status) => (await listed(guest, { status })).totalCount),
    );
    expect(counts).toEqual([1, 1, 0, 1, 3]);
  });

  it('returns one membership for an address invited before registration in another case (solidtime#1172)', async () => {
    const { owner, groupId, invite } = await createInvitingGroup(fixture);
    const name = crypto.randomUUID();
    await invite(`ZOE.${name}@Example.org`, `zoe.${name}@example.ORG`);
    const zoe = await createUser(fixture);
    await assignEmail(fixture, zoe, `zoe.${name}@example.org`);
    expect((await listed(zoe)).totalCount).toBe(0);
    const { nodes } = await listInbox(fixture.deps, zoe.userId, { first: 10 });
    const claims = await Promise.allSettled(
      [1, 2].map(() => claimInvitation(fixture.deps, zoe, { invitationId: nodes[0]?.id, status: 'PENDING' })),
    );
    expect(claims.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await listed(zoe, { status: 'PENDING' })).nodes).toMatchObject([{ groupId, invitedById: owner.userId }]);
  });

  it('filters by the current state when a passed deadline is not recorded', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const respondBy = fixture.clock.in(MINUTE_MS);
    const forming = await createGroupWithMembers(fixture, owner, [guest]);
    const confirmed = await createGroupWithMembers(fixture, owner, [guest], { quorum: 1, respondBy });
    const expired = await createGroupWithMembers(fixture, owner, [guest], { respondBy });
    const cancelled = await createGroupWithMembers(fixture, owner, [guest], { respondBy });
    await cancelGroup(fixture.deps, owner, { groupId: cancelled });
    const inState = async (groupState: GroupState) =>
      (await listed(guest, { groupState })).nodes.map(({ groupId, group }) => [groupId, group.state]);
    fixture.clock.moveTo(new Date(respondBy.getTime() - 1));
    expect((await inState('FORMING')).map(([id]) => id).toSorted()).toEqual([forming, expired].toSorted());
    fixture.clock.moveTo(respondBy);
    expect(await inState('FORMING')).toEqual([[forming, 'FORMING']]);
    expect(await inState('EXPIRED')).toEqual([[expired, 'EXPIRED']]);
    expect(await inState('CONFIRMED')).toEqual([[confirmed, 'CONFIRMED']]);
    expect(await inState('CANCELLED')).toEqual([[cancelled, 'CANCELLED']]);
    expect(await inState('FAILED')).toEqual([]);
    expect(await fixture.sql('select state from groups where id = $1', [expired])).toEqual([{ state: 'FORMING' }]);
    expect((await listed(guest, { groupState: 'EXPIRED', status: 'ACCEPTED' })).totalCount).toBe(0);
  });

  it('filters by the state that computeGroupState returns, for any group', async () => {
    const statuses = fc.array(fc.constantFrom(...RESPONSE_STATUSES), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        statuses,
        fc.option(fc.integer({ min: 1, max: 4 })),
        fc.integer({ min: 0, max: 2 }),
        fc.boolean(),
        async (answers, quorum, minutes, cancels) => {
          const [owner, ...guests] = await createUsers(fixture, answers.length + 1);
          const groupId = await createGroupWithMembers(fixture, owner, guests, {
            quorum,
            respondBy: minutes === 0 ? null : fixture.clock.in(minutes * MINUTE_MS),
          });
          for (const [index, guest] of guests.entries()) {
            await updateMemberStatus(fixture.deps, guest, {
              groupId,
              userId: guest.userId,
              status: answers[index] ?? 'PENDING',
            });
          }
          if (cancels) await cancelGroup(fixture.deps, owner, { groupId });
          for (let minute = 0; minute < 3; minute += 1) {
            const found = await Promise.all(
              GROUP_STATES.map(async (groupState) =>
                (await listed(owner, { groupState })).nodes.map(({ group }) => ({ groupState, group })),
              ),
            );
            const [only, ...others] = found.flat();
            expect(others).toEqual([]);
            expect([only?.groupState, only?.group.state]).toEqual(
              Array(2).fill(currentState(only!.group, fixture.clock.now()).state),
            );
            fixture.clock.advance(MINUTE_MS);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('returns each membership once in pages, also with equal times', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      made.push(await createGroupWithMembers(fixture, owner, [guest]));
      if (index % 3 === 2) fixture.clock.advance(1);
    }
    const found: string[] = [];
    for (let after: string | null = null, more = true; more;) {
      const page = await listed(guest, { first: 2, after });
      expect(page.totalCount).toBe(7);
      found.push(...page.nodes.map(({ groupId }) => groupId));
      after = page.pageInfo.endCursor;
      more = page.pageInfo.hasNextPage;
    }
    expect(found).toEqual(made.toReversed());
  });

  it('rejects callers other than the user', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    await createGroupWithMembers(fixture, owner, [guest]);
    const request = { first: 1 };
    await expect(listMemberships(fixture.deps, ANONYMOUS, guest.userId, request)).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
    await expect(listMemberships(fixture.deps, owner, guest.userId, request)).rejects.toEqual(
      errorWithReason('TOKEN_INVALID'),
    );
    await expect(listMemberships(fixture.deps, await createAdmin(fixture), guest.userId, request)).rejects.toEqual(
      errorWithReason('TOKEN_INVALID'),
    );
    await expect(listMemberships(fixture.deps, serviceActor(['groups:read']), guest.userId, request)).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
    await expect(listed(guest, { first: 1_001, after: 'x' })).rejects.toEqual(errorWithFields('first', 'after'));
  });
});
