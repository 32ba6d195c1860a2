import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiKeyScope } from '../../../src/accounts/index.js';
import { leastStatementsOfRequest } from '../../support/database/count-statements.js';
import { uniqueEmail } from '../../support/groups/invitation-fixture.js';
import { TestClient } from '../../support/http/test-client.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import {
  createApiKeyClient,
  createGroupViaApi,
  insertAccounts,
  inviteUsers,
  registerAdmin,
  registerUser,
  type TestUser,
} from '../../support/service/test-users.js';
import { UNKNOWN_ID } from '../../support/unknown-id.js';

const MAX_IDS = 100;

const IDS = `query ($id: UUID!) { group(id: $id) {
  id members { nodes { id user { id } } } history { nodes { id revision } } scoreHistory { nodes { id } }
  invitations { nodes { id } } compatibilityScore { id } viewerMembership { id } } }`;
const NODE = 'query ($id: ID!) { node(id: $id) { __typename id } }';
const NODES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';
const DETAILS = `query ($ids: [ID!]!) { nodes(ids: $ids) {
  id
  ... on User { username }
  ... on Group { name members(first: 1) { totalCount } }
  ... on Member { status user { username } group { id } }
  ... on GroupChange { revision cause group { id } }
  ... on CompatibilityScore { value source stale }
  ... on Invitation { email group { id } } } }`;
const INVITE = `mutation ($input: InviteToGroupInput!) {
  inviteToGroup(input: $input) { results { invitation { id } member { id } } } }`;
const SCORE =
  'mutation ($input: RecordCompatibilityScoreInput!) { recordCompatibilityScore(input: $input) { group { id } } }';
const ANSWER = `mutation ($input: UpdateMemberStatusInput!) { updateMemberStatus(input: $input) {
  member { id status } group { id revision viewerMembership { id status } compatibilityScore { id stale } } } }`;
const LEAVE = 'mutation ($input: LeaveGroupInput!) { leaveGroup(input: $input) { groupId } }';

interface Identified {
  readonly id: string;
}

interface Ids {
  readonly group: {
    readonly members: { readonly nodes: readonly (Identified & { readonly user: Identified })[] };
    readonly history: { readonly nodes: readonly Identified[] };
    readonly scoreHistory: { readonly nodes: readonly Identified[] };
    readonly invitations: { readonly nodes: readonly Identified[] };
    readonly compatibilityScore: Identified;
    readonly viewerMembership: Identified;
  };
}

type Typed = { readonly __typename: string; readonly id: string } | null;

describe.each(['yoga', 'apollo'])('nodes on %s', (engine) => {
  let service: TestService;
  let owner: TestUser;
  let guest: TestUser;
  let stranger: TestUser;
  let invitee: TestUser;
  let admin: TestUser;
  let groupId: string;
  let otherGroupId: string;
  let invitationId: string;
  /** The ids of the objects of the group, by the names of their types. The `User` is the guest. */
  let ids: Readonly<Record<string, string>>;

  beforeAll(async () => {
    service = await startTestService({ hasher: FAKE_HASHER, settings: { GRAPHQL_ENGINE: engine } });
    [owner, guest, stranger, invitee, admin] = [
      await registerUser(service),
      await registerUser(service),
      await registerUser(service),
      await registerUser(service),
      await registerAdmin(service),
    ];
    const email = uniqueEmail();
    await verifyAddress(owner, uniqueEmail());
    await verifyAddress(invitee, email);
    groupId = await createGroupViaApi(owner, [guest]);
    otherGroupId = await createGroupViaApi(owner);
    const { inviteToGroup } = await owner.data<{ inviteToGroup: { results: [{ invitation: Identified }] } }>(INVITE, {
      input: { groupId, invitees: [{ email }] },
    });
    invitationId = inviteToGroup.results[0].invitation.id;
    await admin.data(SCORE, { input: { groupId, value: 50, source: 'matcher' } });
    const { group } = await owner.data<Ids>(IDS, { id: groupId });
    ids = {
      Group: groupId,
      User: guest.id,
      Member: group.members.nodes.find(({ user }) => user.id === guest.id)?.id ?? '',
      GroupChange: group.history.nodes[0]?.id ?? '',
      CompatibilityScore: group.scoreHistory.nodes[0]?.id ?? '',
      Invitation: group.invitations.nodes[0]?.id ?? '',
    };
  });
  afterAll(() => service.remove());

  function verifyAddress({ id }: TestUser, email: string): Promise<unknown> {
    return service.database.pool.query(
      'update account set email = $2, email_key = $2, email_verified_at = now() where id = $1',
      [id, email],
    );
  }

  async function visibleTo(client: TestClient): Promise<string[]> {
    const { nodes } = await client.data<{ nodes: readonly Typed[] }>(NODES, { ids: Object.values(ids) });
    const each = await Promise.all(
      Object.values(ids).map(async (id) => (await client.data<{ node: Typed }>(NODE, { id })).node),
    );
    expect(nodes).toEqual(each);
    return nodes.flatMap((node) => node?.__typename ?? []);
  }

  it('are read by the ids that other fields return, with their own types and all of their fields', async () => {
    const { nodes } = await owner.data<{ nodes: readonly Typed[] }>(NODES, { ids: Object.values(ids) });
    expect(nodes).toEqual(Object.entries(ids).map(([__typename, id]) => ({ __typename, id })));

    expect(await owner.data(DETAILS, { ids: Object.values(ids) })).toEqual({
      nodes: [
        { id: groupId, name: 'Supper club', members: { totalCount: 2 } },
        { id: guest.id, username: guest.username },
        { id: ids['Member'], status: 'PENDING', user: { username: guest.username }, group: { id: groupId } },
        { id: ids['GroupChange'], revision: 1, cause: 'CREATED', group: { id: groupId } },
        { id: ids['CompatibilityScore'], value: 50, source: 'matcher', stale: false },
        { id: invitationId, email: expect.any(String), group: { id: groupId } },
      ],
    });
  });

  it('have one id in every field that returns them', async () => {
    const { group } = await guest.data<Ids>(
      IDS.replace(/invitations.*/, 'compatibilityScore { id } viewerMembership { id } } }'),
      {
        id: groupId,
      },
    );
    expect([group.compatibilityScore.id, group.viewerMembership.id]).toEqual([
      ids['CompatibilityScore'],
      ids['Member'],
    ]);
  });

  it('are visible to the callers of the direct fields, and null to all others', async () => {
    const inGroup = ['Group', 'User', 'Member', 'GroupChange', 'CompatibilityScore'];
    expect(await visibleTo(owner)).toEqual([...inGroup, 'Invitation']);
    expect(await visibleTo(admin)).toEqual([...inGroup, 'Invitation']);
    expect(await visibleTo(guest)).toEqual(inGroup);
    expect(await visibleTo(invitee)).toEqual(['Invitation']);
    expect(await visibleTo(stranger)).toEqual([]);
  });

  it.each<[readonly ApiKeyScope[], readonly string[]]>([
    [['groups:read'], ['Group', 'Member', 'GroupChange', 'CompatibilityScore']],
    [['responses:write', 'scores:write'], []],
  ])('are visible to an API key with the scopes %j as %j', async (scopes, visible) => {
    expect(await visibleTo(await createApiKeyClient(service, scopes, [groupId]))).toEqual(visible);
    expect(await visibleTo(await createApiKeyClient(service, scopes, [otherGroupId]))).toEqual([]);
  });

  it('are hidden from an invitee once the invitation cannot be claimed', async () => {
    const revoke = 'mutation ($input: RevokeInvitationInput!) { revokeInvitation(input: $input) { group { id } } }';
    const email = uniqueEmail();
    const [other, late] = [await registerUser(service), await registerUser(service)];
    await verifyAddress(other, email);
    const { inviteToGroup } = await owner.data<{ inviteToGroup: { results: { invitation: Identified }[] } }>(INVITE, {
      input: { groupId, invitees: [{ email }, { email: uniqueEmail() }] },
    });
    const [first, second] = inviteToGroup.results.map(({ invitation }) => invitation.id);
    expect(await other.data(NODE, { id: first })).toMatchObject({ node: { id: first } });
    expect(await late.data(NODE, { id: second })).toEqual({ node: null });
    await service.database.pool.query('update invitation set expires_at = now() where id = any($1)', [[first, second]]);
    expect(await other.data(NODE, { id: first })).toEqual({ node: null });
    expect(await owner.data(NODE, { id: first })).toMatchObject({ node: { id: first } });
    await owner.data(revoke, { input: { invitationId: first } });
    expect(await owner.data(NODE, { id: first })).toEqual({ node: null });
  });

  it('are null for ids that are malformed or unknown, whichever error a direct field has', async () => {
    const member = Buffer.from(ids['Member'] ?? '', 'base64url');
    const change = Buffer.from(ids['GroupChange'] ?? '', 'base64url');
    const withTag = (tag: number, bytes: Buffer): string => {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(tag);
      return changed.toString('base64url');
    };
    const revision = (value: number): string => {
      const changed = Buffer.from(change);
      changed.writeUInt32BE(value, changed.length - 4);
      return changed.toString('base64url');
    };
    const bad = [
      '',
      'x',
      'a\u0000b',
      '0',
      groupId.toUpperCase(),
      `${ids['Member'] ?? ''}=`,
      withTag(2, member),
      withTag(3, change).replace(/.{4}$/, 'AAAJ'),
      revision(0),
      revision(1_000),
      revision(2_147_483_647),
      revision(4_294_967_295),
      withTag(3, Buffer.from(revision(2_147_483_647), 'base64url')),
      Buffer.concat([member.subarray(0, 17), Buffer.alloc(16)]).toString('base64url'),
      Buffer.concat([Buffer.of(1), Buffer.alloc(32)]).toString('base64url'),
      UNKNOWN_ID,
      'A'.repeat(1_000),
    ];
    for (const client of [owner, admin, await createApiKeyClient(service, ['groups:read'])]) {
      const { nodes } = await client.data<{ nodes: readonly Typed[] }>(NODES, { ids: bad });
      expect(nodes).toEqual(bad.map(() => null));
    }
    expect(await owner.data('{ node(id: 7) { id } nodes(ids: "x") { id } }')).toEqual({ node: null, nodes: [null] });
  });

  it('need a token, whatever the id', async () => {
    const anonymous = new TestClient(service.url);
    for (const query of ['{ node(id: "x") { id } }', '{ nodes(ids: []) { id } }', `{ node(id: "${groupId}") { id } }`])
      expect((await anonymous.graphql(query)).errors).toMatchObject([{ extensions: { reason: 'TOKEN_MISSING' } }]);
  });

  it('come in the order of the ids, repeated ones too, up to 100', async () => {
    const asked = [ids['Member'], UNKNOWN_ID, groupId, ids['Member']];
    const { nodes } = await owner.data<{ nodes: readonly Typed[] }>(NODES, { ids: asked });
    expect(nodes.map((node) => node?.id ?? null)).toEqual([ids['Member'], null, groupId, ids['Member']]);
    expect(await owner.data(NODES, { ids: [] })).toEqual({ nodes: [] });

    const { errors } = await owner.graphql(NODES, { ids: new Array(MAX_IDS + 1).fill(groupId) });
    expect(errors).toMatchObject([
      { extensions: { reason: 'INVALID_INPUT', fields: [{ field: 'ids', message: 'must be at most 100 ids' }] } },
    ]);
  });

  it('cost one entry for each id', async () => {
    const query = `query ($ids: [ID!]!) {
      nodes(ids: $ids) { ... on Group { members(first: 1000) { nodes { id } } } } }`;
    expect((await owner.graphql(query, { ids: new Array(10).fill(groupId) })).errors).toBeUndefined();
    expect((await owner.graphql(query, { ids: new Array(13).fill(groupId) })).errors).toMatchObject([
      { extensions: { limit: { name: 'cost' } } },
    ]);
  });

  it('take the same number of statements for one id of each kind and for 100', async () => {
    const users = await insertAccounts(service, 40);
    const large = await createGroupViaApi(owner);
    await inviteUsers(owner, large, users);
    const { group } = await owner.data<Ids>(IDS, { id: large });
    const many = [
      ...Object.values(ids),
      ...group.members.nodes.flatMap((member) => [member.id, member.user.id]),
      ...group.history.nodes.map(({ id }) => id),
    ].slice(0, MAX_IDS);
    expect(many.length).toBeGreaterThan(80);
    const counted = (asked: readonly string[]): Promise<number> =>
      leastStatementsOfRequest(
        () => owner.data<{ nodes: readonly Typed[] }>(NODES, { ids: asked }),
        ({ nodes }) => {
          expect(nodes).toEqual(asked.map((id) => expect.objectContaining({ id })));
        },
      );
    // A group, its members, revisions and scores, a user, an invitation.
    expect(await counted(Object.values(ids))).toBeLessThanOrEqual(6);
    expect(await counted(many)).toBeLessThanOrEqual(6);
  });

  it('keep the id of a member who leaves and comes back', async () => {
    const { inviteToGroup } = await owner.data<{ inviteToGroup: { results: [{ member: Identified }] } }>(INVITE, {
      input: { groupId, invitees: [{ userId: stranger.id }] },
    });
    const { id } = inviteToGroup.results[0].member;
    await stranger.data(LEAVE, { input: { groupId } });
    expect(await owner.data(NODE, { id })).toEqual({ node: null });
    const again = await owner.data(INVITE, { input: { groupId, invitees: [{ userId: stranger.id }] } });
    expect(again).toMatchObject({ inviteToGroup: { results: [{ member: { id } }] } });
    expect(await owner.data(NODE, { id })).toEqual({ node: { __typename: 'Member', id } });
    await stranger.data(LEAVE, { input: { groupId } });
  });

  it('are named in the payload of updateMemberStatus with all that it changed', async () => {
    const writer = await createApiKeyClient(service, ['responses:write']);
    for (const [client, status] of [
      [guest, 'ACCEPTED'],
      [writer, 'TENTATIVE'],
    ] as const) {
      expect(await client.data(ANSWER, { input: { groupId, userId: guest.id, status } })).toEqual({
        updateMemberStatus: {
          member: { id: ids['Member'], status },
          group: {
            id: groupId,
            revision: expect.any(Number),
            viewerMembership: client === guest ? { id: ids['Member'], status } : null,
            compatibilityScore: { id: ids['CompatibilityScore'], stale: true },
          },
        },
      });
    }
  });
});
