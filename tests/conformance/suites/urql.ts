import assert from 'node:assert/strict';
import { Client, fetchExchange, type OperationResult } from '@urql/core';
import { respondToGroup } from '../../support/http/test-subscription.js';
import { waitUntil } from '../../support/wait-until.js';
import { clientSuite, logIn, type Scenario } from '../client-suite.js';
import { createSession, withToken } from '../clients/session.js';
import { connectUrql } from '../clients/urql.js';
import { CHANGES, ME, MEMBERS, RESPOND, type ChangesData, type MembersData, type RespondData } from '../operations.js';
import { recordingFetch, type RecordingFetch } from '../recording-fetch.js';

const SOON_MS = 20_000;

export const urql = clientSuite('@urql/core', ['@urql/core', 'graphql-sse'], {
  'logs in and queries': async (scenario) => {
    const { client } = await connectAs(scenario, 'owner');
    const { data, error } = await client.query<{ me: { username: string } }>(ME, {}).toPromise();
    assert.equal(error, undefined);
    assert.equal(data?.me.username, scenario.owner.username);
  },

  'queries by GET': async (scenario) => {
    const { client, exchanges } = await connectAs(scenario, 'owner');
    const { error } = await client.query(ME, {}, { preferGetMethod: true }).toPromise();
    assert.equal(error, undefined);
    assert.equal(exchanges[0]?.method, 'GET');
  },

  'reads a list again after a mutation': async (scenario) => {
    const { groupId: id, guest } = scenario;
    const { client } = await connectAs(scenario, 'guest');
    const states: (string | undefined)[] = [];
    const watched = client
      .query<MembersData>(MEMBERS, { id, first: 10 })
      .subscribe(({ data }) => states.push(data?.group.state));
    await waitUntil('the list', () => states.length > 0, SOON_MS);
    const { data } = await client
      .mutation<RespondData>(RESPOND, { groupId: id, userId: guest.id, status: 'ACCEPTED' })
      .toPromise();
    await waitUntil('the changed list', () => states.at(-1) === 'CONFIRMED', SOON_MS);
    watched.unsubscribe();
    assert.equal(data?.updateMemberStatus.member.status, 'ACCEPTED');
  },

  'returns the reason of an error': async (scenario) => {
    const { client } = await connectAs(scenario, 'owner');
    const { error } = await client.query(MEMBERS, { id: scenario.owner.id, first: 1 }).toPromise();
    assert.equal(error?.graphQLErrors[0]?.extensions['reason'], 'GROUP_NOT_FOUND');
  },

  'reads pages': async (scenario) => {
    const { client } = await connectAs(scenario, 'owner');
    const read = async (after: string | null) => {
      const { data } = await client.query<MembersData>(MEMBERS, { id: scenario.groupId, first: 1, after }).toPromise();
      return data?.group.members;
    };
    const first = await read(null);
    const second = await read(first?.pageInfo.endCursor ?? null);
    assert.deepEqual(
      [first, second].map((page) => [page?.edges[0]?.node.user.id, page?.pageInfo.hasNextPage]),
      [
        [scenario.owner.id, true],
        [scenario.guest.id, false],
      ],
    );
  },

  'receives live changes by the documented exchange': async (scenario) => {
    const { client, exchanges } = await connectAs(scenario, 'owner');
    await receiveChanges(client, scenario);
    assert.equal(exchanges[0]?.contentType, 'text/event-stream');
  },

  'receives live changes by its own fetchExchange': async (scenario) => {
    const { fetch, exchanges } = await recordAs(scenario, 'owner');
    const url = `${scenario.url}/graphql`;
    const client = new Client({
      url,
      fetch,
      preferGetMethod: false,
      fetchSubscriptions: true,
      exchanges: [fetchExchange],
    });
    await receiveChanges(client, scenario);
    assert.equal(exchanges[0]?.contentType, 'text/event-stream');
  },
});

async function recordAs(scenario: Scenario, user: 'owner' | 'guest'): Promise<RecordingFetch> {
  const { url } = scenario;
  return recordingFetch(withToken(createSession(url, await logIn(url, scenario[user]))));
}

async function connectAs(scenario: Scenario, user: 'owner' | 'guest') {
  const { fetch, exchanges } = await recordAs(scenario, user);
  return { client: connectUrql(scenario.url, fetch), exchanges };
}

/** Expects the two earlier changes of the group, and then one that happens meanwhile. */
async function receiveChanges(client: Client, { guest, groupId: id }: Scenario): Promise<void> {
  const causes: unknown[] = [];
  const note = ({ data, error }: OperationResult<ChangesData>) => causes.push(error ?? data?.groupChanged.cause);
  const subscription = client.subscription<ChangesData>(CHANGES, { id, after: 0 }).subscribe(note);
  await waitUntil('the earlier changes', () => causes.length >= 2, SOON_MS);
  await respondToGroup(guest, id, 'ACCEPTED');
  await waitUntil('the live change', () => causes.length >= 3, SOON_MS);
  subscription.unsubscribe();
  assert.deepEqual(causes, ['CREATED', 'INVITED', 'RESPONSE']);
}
