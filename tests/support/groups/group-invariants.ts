import { expect } from '@jest/globals';
import {
  getGroup,
  type Counts,
  type GroupRole,
  type GroupView,
  type ResponseStatus,
} from '../../../src/groups/index.js';
import { computeGroupState } from '../../../src/groups/model/group-state.js';
import { createAdmin, type GroupsFixture } from './groups-fixture.js';

interface StoredChange extends Record<string, unknown> {
  readonly revision: number;
  readonly subject_id: string | null;
  readonly status: ResponseStatus | null;
  readonly state_before: string | null;
  readonly state_after: string;
  readonly at: Date;
}

const COUNT_COLUMNS = [
  'pending_count',
  'accepted_count',
  'tentative_count',
  'declined_count',
  'open_invitations',
  'lapsed_invitations',
];

/**
 * Asserts every invariant of a group, after any concurrent changes: its counts match its member rows, one member is an
 * owner, its invitations match and none is to a member's verified address. Its state matches the state function, its
 * revision matches the history, and the history replays to the current members.
 */
export async function expectGroupInvariants(fixture: GroupsFixture, groupId: string): Promise<GroupView> {
  const group = await getGroup(fixture.deps, await createAdmin(fixture), groupId);
  const members = await membersOf(fixture, groupId);
  const history = await readHistoryRows(fixture, groupId);
  expect(memberCounts(group.counts)).toEqual(countsOfRows(members));
  expect(members.some(({ role }) => role === 'OWNER')).toBe(true);
  expect(await invitationsOf(fixture, groupId)).toEqual({
    open: group.counts.openInvitations,
    lapsed: group.counts.lapsedInvitations,
    toMembers: 0,
  });
  expect(group.state).toBe(computeGroupState(group, group.counts, fixture.clock.now()));
  expect(history.map(({ revision }) => revision)).toEqual(
    Array.from({ length: group.revision }, (_, index) => index + 1),
  );
  expect(history.at(-1)).toMatchObject(await storedCounts(fixture, groupId));
  expectContinuousHistory(history);
  expect(replayResponses(history)).toEqual(new Map(members.map(({ user_id: userId, status }) => [userId, status])));
  return group;
}

/** Asserts that each state begins where the previous one ended, and that times do not decrease. */
function expectContinuousHistory(history: readonly StoredChange[]): void {
  expect(history.slice(1).map((change) => change.state_before)).toEqual(
    history.slice(0, -1).map((change) => change.state_after),
  );
  expect(history[0]?.state_before).toBeNull();
  const times = history.map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((one, other) => one - other));
}

/** Replays the members and their responses from the history. A member without a response has left. */
function replayResponses(history: readonly StoredChange[]): Map<string, ResponseStatus> {
  const responses = new Map<string, ResponseStatus>();
  for (const { subject_id: subject, status } of history) {
    if (subject === null) continue;
    if (status === null) responses.delete(subject);
    else responses.set(subject, status);
  }
  return responses;
}

function membersOf(
  fixture: GroupsFixture,
  groupId: string,
): Promise<{ user_id: string; role: GroupRole; status: ResponseStatus }[]> {
  return fixture.sql('select user_id, role, status from member where group_id = $1', [groupId]);
}

async function invitationsOf(fixture: GroupsFixture, groupId: string): Promise<Record<string, number>> {
  const [row] = await fixture.sql<Record<string, number>>(
    `select count(*) filter (where i.status = 'OPEN')::integer as open,
      count(*) filter (where i.status = 'LAPSED')::integer as lapsed,
       count(m.user_id)::integer as "toMembers"
     from invitation i
     left join account a on a.email_key = i.email_key and a.email_verified_at is not null
     left join member m on m.group_id = i.group_id and m.user_id = a.id
     where i.group_id = $1 and i.status in ('OPEN', 'LAPSED')`,
    [groupId],
  );
  return row ?? {};
}

export function readHistoryRows(fixture: GroupsFixture, groupId: string): Promise<StoredChange[]> {
  return fixture.sql('select * from group_change where group_id = $1 order by revision', [groupId]);
}

async function storedCounts(fixture: GroupsFixture, groupId: string): Promise<Record<string, unknown>> {
  const [row] = await fixture.sql(
    `select state as state_after, ${COUNT_COLUMNS.join(', ')} from groups where id = $1`,
    [groupId],
  );
  return row ?? {};
}

function memberCounts({ pending, accepted, tentative, declined }: Counts): Record<string, number> {
  return { pending, accepted, tentative, declined };
}

function countsOfRows(members: readonly { status: ResponseStatus }[]): Record<string, number> {
  const having = (status: ResponseStatus): number => members.filter((member) => member.status === status).length;
  return {
    pending: having('PENDING'),
    accepted: having('ACCEPTED'),
    tentative: having('TENTATIVE'),
    declined: having('DECLINED'),
  };
}
