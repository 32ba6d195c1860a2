import assert from 'node:assert/strict';
import { ClientError, type GraphQLClient } from 'graphql-request';
import { clientSuite, logIn, type Scenario } from '../client-suite.js';
import { connectGraphqlRequest } from '../clients/graphql-request.js';
import { createSession, withToken } from '../clients/session.js';
import { ME, MEMBERS, RESPOND, type MembersData, type RespondData } from '../operations.js';
import { recordingFetch } from '../recording-fetch.js';

export const graphqlRequest = clientSuite('graphql-request', ['graphql-request'], {
  'logs in and queries': async (scenario) => {
    const client = await connectAs(scenario, 'owner');
    const { me } = await client.request<{ me: { username: string } }>(ME);
    assert.equal(me.username, scenario.owner.username);
  },

  'sends a mutation': async (scenario) => {
    const client = await connectAs(scenario, 'guest');
    const { updateMemberStatus } = await client.request<RespondData>(RESPOND, {
      groupId: scenario.groupId,
      userId: scenario.guest.id,
      status: 'ACCEPTED',
    });
    assert.deepEqual([updateMemberStatus.member.status, updateMemberStatus.group.state], ['ACCEPTED', 'CONFIRMED']);
  },

  'rejects with the reason of an error': async (scenario) => {
    const client = await connectAs(scenario, 'owner');
    const failing = client.request(MEMBERS, { id: scenario.owner.id, first: 1 });
    await assert.rejects(
      failing,
      (error) => error instanceof ClientError && error.response.errors?.[0]?.extensions['reason'] === 'GROUP_NOT_FOUND',
    );
  },

  'reads pages': async (scenario) => {
    const client = await connectAs(scenario, 'owner');
    const read = async (after: string | null) => {
      const { group } = await client.request<MembersData>(MEMBERS, { id: scenario.groupId, first: 1, after });
      return group.members;
    };
    const first = await read(null);
    const second = await read(first.pageInfo.endCursor);
    const ids = [first, second].map(({ edges }) => edges[0]?.node.user.id);
    assert.deepEqual(ids, [scenario.owner.id, scenario.guest.id]);
  },

  'refreshes once for requests at the same time': async (scenario) => {
    const { url, owner } = scenario;
    const tokens = await logIn(url, owner);
    const original = globalThis.fetch;
    const { fetch, exchanges } = recordingFetch(original);
    globalThis.fetch = fetch;
    try {
      const client = connectGraphqlRequest(url, withToken(createSession(url, { ...tokens, expires_in: 0 })));
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => client.request<{ me: object }>(ME)));
      assert.equal(answers.length, 5);
    } finally {
      globalThis.fetch = original;
    }
    const paths = exchanges.map(({ path }) => path);
    assert.deepEqual(paths.toSorted(), ['/api/auth/token', ...Array.from({ length: 5 }, () => '/graphql')]);
  },
});

async function connectAs({ url, ...users }: Scenario, user: 'owner' | 'guest'): Promise<GraphQLClient> {
  return connectGraphqlRequest(url, withToken(createSession(url, await logIn(url, users[user]))));
}
