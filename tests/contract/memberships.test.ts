import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { leastStatementsOfRequest } from '../support/database/count-statements.js';
import type { GraphqlResponse } from '../support/http/test-client.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import {
  createApiKeyClient,
  createGroupViaApi,
  inviteUsers,
  registerAdmin,
  registerUser,
  type TestUser,
} from '../support/service/test-users.js';

const REMOVE =
  'mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { group { state memberCount acceptedCount } } }';
const LEAVE = 'mutation ($input: LeaveGroupInput!) { leaveGroup(input: $input) { groupId } }';
const CHANGE_ROLE = `
  mutation ($input: ChangeMemberRoleInput!) {
    changeMemberRole(input: $input) { member { role revision user { id } group { id } } }
  }`;
const ANSWER = 'mutation ($input: UpdateMemberStatusInput!) { updateMemberStatus(input: $input) { group { state } } }';
const MEMBERSHIPS = `query ($status: ResponseStatus, $groupState: GroupState, $first: Int! = 100, $after: String) {
  me {
    memberships(status: $status, groupState: $groupState, first: $first, after: $after) {
      totalCount nodes { status role group { id name state } } pageInfo { hasNextPage endCursor }
    }
  }
}`;

interface Memberships {
  readonly me: {
    readonly memberships: {
      readonly totalCount: number;
      readonly nodes: readonly {
        readonly status: string;
        readonly role: string;
        readonly group: { readonly id: string };
      }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
}

function reasonOf({ errors }: GraphqlResponse): unknown {
  return errors?.[0]?.extensions['reason'];
}

describe.each(['yoga', 'apollo'])('memberships on %s', (engine) => {
  let service: TestService;
  let owner: TestUser;
  let guest: TestUser;
  beforeAll(async () => {
    service = await startTestService({ settings: { GRAPHQL_ENGINE: engine } });
    [owner, guest] = [await registerUser(service), await registerUser(service)];
  });
  afterAll(() => service.remove());

  const response = (member: TestUser, groupId: string, status: string) =>
    member.data(ANSWER, { input: { groupId, userId: member.id, status } });

  async function acceptedCount(groupId: string): Promise<unknown> {
    return (await owner.get(`/api/groups/${groupId}/accepted-count`)).body;
  }

  it('end by a removal: once, in every view alike (chainloop#2257)', async () => {
    const other = await registerUser(service);
    const groupId = await createGroupViaApi(owner, [guest, other]);
    await response(guest, groupId, 'ACCEPTED');
    await response(other, groupId, 'DECLINED');
    const removal = { input: { groupId, userId: guest.id } };
    expect(await owner.data(REMOVE, removal)).toEqual({
      removeMember: { group: { state: 'FAILED', memberCount: 2, acceptedCount: 1 } },
    });
    expect(reasonOf(await owner.graphql(REMOVE, removal))).toBe('MEMBER_NOT_FOUND');
    await owner.data(REMOVE, { input: { groupId, userId: other.id } });
    expect(await acceptedCount(groupId)).toMatchObject({ accepted_count: 1 });
    expect((await owner.get(`/api/groups/${groupId}/members`)).body).toMatchObject({
      members: [{ user_id: owner.id }],
    });
    expect((await guest.get(`/api/groups/${groupId}/members`)).status).toBe(404);
    expect(reasonOf(await guest.graphql('query ($id: UUID!) { group(id: $id) { id } }', { id: groupId }))).toBe(
      'GROUP_NOT_FOUND',
    );
    const { group } = await owner.data<{ group: unknown }>(
      'query ($id: UUID!) { group(id: $id) { history { nodes { cause subject { id } status } } } }',
      { id: groupId },
    );
    expect(group).toMatchObject({
      history: {
        nodes: [
          {},
          {},
          {},
          {},
          {},
          { cause: 'REMOVED', subject: { id: guest.id }, status: null },
          { cause: 'REMOVED' },
        ],
      },
    });
  });

  it('end by leaving, except for the last owner', async () => {
    const groupId = await createGroupViaApi(owner, [guest]);
    expect(reasonOf(await owner.graphql(LEAVE, { input: { groupId } }))).toBe('LAST_OWNER');
    expect(await guest.data(LEAVE, { input: { groupId } })).toEqual({ leaveGroup: { groupId } });
    expect(reasonOf(await guest.graphql(LEAVE, { input: { groupId } }))).toBe('GROUP_NOT_FOUND');
  });

  it('transfer ownership, and keep one owner when two demote each other concurrently', async () => {
    const groupId = await createGroupViaApi(owner, [guest]);
    const role = (by: TestUser, of: TestUser, to: string) =>
      by.graphql(CHANGE_ROLE, { input: { groupId, userId: of.id, role: to } });
    expect(reasonOf(await role(owner, owner, 'MEMBER'))).toBe('LAST_OWNER');
    expect((await role(owner, guest, 'OWNER')).data).toEqual({
      changeMemberRole: { member: { role: 'OWNER', revision: 2, user: { id: guest.id }, group: { id: groupId } } },
    });
    const responses = await Promise.all([role(owner, guest, 'MEMBER'), role(guest, owner, 'MEMBER')]);
    expect(responses.map(reasonOf).toSorted()).toEqual(['OWNER_REQUIRED', undefined]);
  });

  it('are listed for their user, with pending ones that can be answered (mcp-context-forge#6010)', async () => {
    const invitee = await registerUser(service);
    const groupIds = [
      await createGroupViaApi(owner, [invitee]),
      await createGroupViaApi(guest, [invitee]),
      await createGroupViaApi(owner, [invitee], { quorum: 1 }),
    ];
    const pending = await invitee.data<Memberships>(MEMBERSHIPS, { status: 'PENDING' });
    expect(pending.me.memberships).toMatchObject({
      totalCount: 3,
      nodes: groupIds.toReversed().map((id) => ({ status: 'PENDING', role: 'MEMBER', group: { id } })),
    });
    await response(invitee, groupIds[0]!, 'DECLINED');
    await invitee.data(LEAVE, { input: { groupId: groupIds[1] } });
    expect(
      (await invitee.data<Memberships>(MEMBERSHIPS, { status: 'PENDING' })).me.memberships.nodes.map(
        ({ group }) => group.id,
      ),
    ).toEqual([groupIds[2]]);
    expect((await invitee.data<Memberships>(MEMBERSHIPS, { groupState: 'CONFIRMED' })).me.memberships).toMatchObject({
      totalCount: 1,
      nodes: [{ group: { id: groupIds[2] } }],
    });
    const page = (await invitee.data<Memberships>(MEMBERSHIPS, { first: 1 })).me.memberships;
    expect(page.pageInfo.hasNextPage).toBe(true);
    expect(
      (
        await invitee.data<Memberships>(MEMBERSHIPS, { first: 1, after: page.pageInfo.endCursor })
      ).me.memberships.nodes.map(({ group }) => group.id),
    ).toEqual([groupIds[0]]);
  });

  it('cost as many statements as there are lists, whatever the number of groups', async () => {
    const member = await registerUser(service);
    const query = `{ me { memberships { nodes { user { username } invitedBy { username } group {
      name state responseCounts { accepted } compatibilityScore { value } viewerMembership { role }
      members(first: 5) { nodes { user { username } } }
      member(userId: "${member.id}") { status }
      whatIf(userId: "${member.id}", status: ACCEPTED)
      history(first: 5) { nodes { cause actor { username } } }
      changes: history(stateChangesOnly: true, first: 5) { totalCount }
      scoreHistory(first: 5) { totalCount } invitations(first: 5) { totalCount }
    } } } } }`;
    const statementsFor = async (groups: number): Promise<number> => {
      await Promise.all(Array.from({ length: groups }, () => createGroupViaApi(owner, [member])));
      return leastStatementsOfRequest(
        () => member.data<Memberships>(query),
        ({ me }) => {
          expect(me.memberships.nodes.length).toBeGreaterThanOrEqual(groups);
        },
      );
    };
    const few = await statementsFor(2);
    expect(await statementsFor(20)).toBe(few);
  });

  it('return the state that a response of the member would lead to', async () => {
    const groupId = await createGroupViaApi(owner, [guest]);
    const query = `
      query ($id: UUID!, $userId: UUID!) {
        group(id: $id) {
          yes: whatIf(userId: $userId, status: ACCEPTED) no: whatIf(userId: $userId, status: DECLINED)
          member(userId: $userId) { status }
        }
      }`;
    expect(await owner.data(query, { id: groupId, userId: guest.id })).toEqual({
      group: { yes: 'CONFIRMED', no: 'FAILED', member: { status: 'PENDING' } },
    });
    const { id } = await registerUser(service);
    expect(await owner.graphql(query, { id: groupId, userId: id })).toMatchObject({
      data: null,
      errors: [{ extensions: { code: 'NOT_FOUND', reason: 'MEMBER_NOT_FOUND' } }],
    });
    expect(
      await owner.data('query ($id: UUID!, $userId: UUID!) { group(id: $id) { member(userId: $userId) { status } } }', {
        id: groupId,
        userId: id,
      }),
    ).toEqual({ group: { member: null } });
  });

  it('return all scores', async () => {
    const scorer = await createApiKeyClient(service, ['scores:write']);
    const groupId = await createGroupViaApi(owner, [guest]);
    for (const value of [1, 2]) {
      await scorer.data(
        `
          mutation ($input: RecordCompatibilityScoreInput!) {
            recordCompatibilityScore(input: $input) { group { id } }
          }`,
        { input: { groupId, value, source: 'x' } },
      );
    }
    expect(
      await guest.data('query ($id: UUID!) { group(id: $id) { scoreHistory { totalCount nodes { value stale } } } }', {
        id: groupId,
      }),
    ).toEqual({
      group: {
        scoreHistory: {
          totalCount: 2,
          nodes: [
            { value: 1, stale: false },
            { value: 2, stale: false },
          ],
        },
      },
    });
  });

  it('make users visible to each other, and to no others', async () => {
    const stranger = await registerUser(service);
    const query = 'query ($id: UUID!) { user(id: $id) { id username displayName createdAt } }';
    await createGroupViaApi(owner, [guest]);
    expect(await guest.data(query, { id: owner.id.toUpperCase() })).toMatchObject({
      user: { id: owner.id, username: owner.username },
    });
    expect(reasonOf(await stranger.graphql(query, { id: owner.id }))).toBe('USER_NOT_FOUND');
    expect(reasonOf(await (await createApiKeyClient(service, ['groups:read'])).graphql(query, { id: owner.id }))).toBe(
      'SCOPE_REQUIRED',
    );
    expect(await (await registerAdmin(service)).data(query, { id: stranger.id })).toMatchObject({
      user: { id: stranger.id },
    });
    expect(
      (await guest.graphql('query ($id: UUID!) { user(id: $id) { email } }', { id: owner.id })).errors?.[0]?.extensions[
        'code'
      ],
    ).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  it('are not returned to a login in the same request', async () => {
    const member = await registerUser(service);
    await inviteUsers(owner, await createGroupViaApi(owner), [member.id]);
    const login =
      'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { user { memberships { totalCount } } } }';
    const input = { username: member.username, password: 'seven quiet lanterns' };
    expect(reasonOf(await guest.graphql(login, { input }))).toBe('TOKEN_INVALID');
    expect((await member.graphql(login, { input })).data).toEqual({
      issueToken: { user: { memberships: { totalCount: 1 } } },
    });
  });
});
