import { describe, expect, it } from '@jest/globals';
import type { UserActor } from '../../../src/accounts/index.js';
import {
  cancelGroup,
  changeMemberRole,
  createGroupLoaders,
  getGroup,
  inviteToGroup,
  leaveGroup,
  listMembers,
  recordCompatibilityScore,
  removeMember,
  updateGroup,
  updateMemberStatus,
} from '../../../src/groups/index.js';
import { countStatements } from '../../support/database/count-statements.js';
import { createGroupWithMembers, createUser, createUsers, serviceActor } from '../../support/groups/groups-fixture.js';
import { useDeletionFixture } from '../../support/groups/use-groups-fixture.js';

const { fixture, deletion } = useDeletionFixture();

const SELECTIONS = [
  { score: false, membership: false },
  { score: true, membership: false },
  { score: true, membership: true },
] as const;

interface Situation {
  readonly groupId: string;
  readonly owner: UserActor;
  readonly member: UserActor;
  /** Invited the member, and has left the group. */
  readonly inviter: UserActor;
}

async function createSituation(): Promise<Situation> {
  const [owner, inviter, member] = await createUsers(fixture, 3);
  const groupId = await createGroupWithMembers(fixture, owner, [inviter]);
  await changeMemberRole(fixture.deps, owner, { groupId, userId: inviter.userId, role: 'OWNER' });
  await inviteToGroup(fixture.deps, inviter, { groupId, invitees: [{ userId: member.userId }] });
  await leaveGroup(fixture.deps, inviter, { groupId });
  return { groupId, owner, member, inviter };
}

/** What the service shows of a group, by each of its statements, from what it remembers. */
async function show({ groupId, owner }: Situation, deps = fixture.deps): Promise<unknown> {
  const shown = [];
  for (const selection of SELECTIONS) {
    const group = await getGroup(deps, owner, groupId, selection);
    const { nodes, totalCount } = await listMembers(deps, owner, group, { first: 10 });
    shown.push({ ...group, nodes, totalCount });
  }
  return shown;
}

/** As `show`, of a process that remembers nothing. */
function showFirst(situation: Situation): Promise<unknown> {
  return show(situation, { ...fixture.deps, loaders: createGroupLoaders(fixture.deps.database) });
}

type Change = (situation: Situation) => Promise<unknown>;

const CHANGES: readonly (readonly [string, Change])[] = [
  [
    'a response',
    ({ groupId, member: { userId }, member }) =>
      updateMemberStatus(fixture.deps, member, { groupId, userId, status: 'ACCEPTED' }),
  ],
  [
    'a role',
    ({ groupId, owner, member: { userId } }) =>
      changeMemberRole(fixture.deps, owner, { groupId, userId, role: 'OWNER' }),
  ],
  [
    'an invitation',
    async ({ groupId, owner }) =>
      inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: (await createUser(fixture)).userId }] }),
  ],
  ['a removal', ({ groupId, owner, member: { userId } }) => removeMember(fixture.deps, owner, { groupId, userId })],
  ['a member who leaves', ({ groupId, member }) => leaveGroup(fixture.deps, member, { groupId })],
  ['another name of the group', ({ groupId, owner }) => updateGroup(fixture.deps, owner, { groupId, name: 'Lunch' })],
  ['a cancellation', ({ groupId, owner }) => cancelGroup(fixture.deps, owner, { groupId })],
  [
    'a score',
    ({ groupId }) =>
      recordCompatibilityScore(fixture.deps, serviceActor(['scores:write', 'groups:read']), {
        groupId,
        value: 42,
        source: 'test',
      }),
  ],
  [
    'a display name',
    ({ member }) => fixture.sql(`update account set display_name = 'Mo' where id = $1`, [member.userId]),
  ],
  ['a deleted member', ({ member }) => deletion.request(member)],
  ['a deleted member whose task has run', ({ member }) => deletion.delete(member)],
  ['a deleted inviter', ({ inviter }) => deletion.delete(inviter)],
  [
    'a group that an operator changed',
    ({ groupId }) => fixture.sql(`update groups set name = 'By hand' where id = $1`, [groupId]),
  ],
  [
    'a score that an operator changed',
    ({ groupId }) => fixture.sql(`update compatibility_score set value = 7 where group_id = $1`, [groupId]),
  ],
];

describe('what is remembered of a group', () => {
  it('saves the statement of a page, and no other', async () => {
    const situation = await createSituation();
    const first = await countStatements(() => show(situation));
    const again = await countStatements(() => show(situation));
    expect([first.statements, again.statements]).toEqual([4, 3]);
    expect(again.result).toEqual(first.result);
  });

  it.each(CHANGES)('is replaced after the change of %s', async (_, change) => {
    const situation = await createSituation();
    await recordCompatibilityScore(fixture.deps, serviceActor(['scores:write', 'groups:read']), {
      groupId: situation.groupId,
      value: 1,
      source: 'test',
    });
    const before = await show(situation);
    await change(situation);
    const after = await show(situation);
    expect(after).toEqual(await showFirst(situation));
    expect(after).not.toEqual(before);
  });

  it('is replaced by a change that is committed after its version was read', async () => {
    const situation = await createSituation();
    const { groupId, owner, member } = situation;
    const group = await getGroup(fixture.deps, owner, groupId, SELECTIONS[0]);
    await updateMemberStatus(fixture.deps, member, { groupId, userId: member.userId, status: 'ACCEPTED' });
    // Remembered as of the version before, although it shows the response.
    await listMembers(fixture.deps, owner, group, { first: 10 });
    await updateMemberStatus(fixture.deps, member, { groupId, userId: member.userId, status: 'DECLINED' });
    expect(await show(situation)).toEqual(await showFirst(situation));
  });

  it('is not used while the account directory has no version', async () => {
    const situation = await createSituation();
    await fixture.sql('delete from account_directory');
    try {
      await show(situation);
      await fixture.sql(`update account set display_name = 'Unseen' where id = $1`, [situation.member.userId]);
      expect(await show(situation)).toEqual(await showFirst(situation));
    } finally {
      await fixture.sql('insert into account_directory default values');
    }
  });
});
