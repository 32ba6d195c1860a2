import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  CombinedProtocolErrors,
  gql,
  HttpLink,
  InMemoryCache,
  type TypedDocumentNode,
} from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { respondToGroup } from '../../support/http/test-subscription.js';
import { waitUntil } from '../../support/wait-until.js';
import { clientSuite, logIn, type Scenario } from '../client-suite.js';
import { connectApolloClient } from '../clients/apollo-client.js';
import { createSseLink } from '../clients/apollo-sse-link.js';
import { createSession, withToken } from '../clients/session.js';
import { CHANGES, ME, MEMBERS, RESPOND, type ChangesData, type MembersData, type RespondData } from '../operations.js';
import { recordingFetch, type RecordingFetch } from '../recording-fetch.js';

const ME_DOCUMENT = gql(ME) as TypedDocumentNode<{ me: { username: string } }>;
const MEMBERS_DOCUMENT = gql(MEMBERS) as TypedDocumentNode<MembersData>;
const RESPOND_DOCUMENT = gql(RESPOND) as TypedDocumentNode<RespondData>;
const CHANGES_DOCUMENT = gql(CHANGES) as TypedDocumentNode<ChangesData>;

/** A client that hangs waits no longer. */
const SOON_MS = 20_000;

export const apolloClient = clientSuite('@apollo/client', ['@apollo/client', 'rxjs'], {
  'logs in and queries': async (scenario) => {
    const { client } = await connectAs(scenario, 'owner');
    const { data } = await client.query({ query: ME_DOCUMENT });
    assert.equal(data?.me.username, scenario.owner.username);
  },

  'shows the new status in a cached list after a mutation, without another query': async (scenario) => {
    const { groupId: id, guest } = scenario;
    const { client, exchanges } = await connectAs(scenario, 'guest');
    const page = { query: MEMBERS_DOCUMENT, variables: { id, first: 10 } };
    const seen: string[] = [];
    const watched = client.watchQuery(page).subscribe(({ data }) => {
      if (data !== undefined) seen.push(describeGroup(data as MembersData, guest.id));
    });
    await waitUntil('the list', () => seen.length > 0, SOON_MS);
    await client.mutate({
      mutation: RESPOND_DOCUMENT,
      variables: { groupId: id, userId: guest.id, status: 'ACCEPTED' },
    });
    await waitUntil('the changed list', () => seen.length > 1, SOON_MS);
    watched.unsubscribe();
    assert.deepEqual(seen, ['FORMING, PENDING', 'CONFIRMED, ACCEPTED']);
    assert.equal(exchanges.length, 2);
  },

  'rejects with the reason of an error': async (scenario) => {
    const { client } = await connectAs(scenario, 'owner');
    const failing = client.query({ query: MEMBERS_DOCUMENT, variables: { id: scenario.owner.id, first: 1 } });
    await assert.rejects(
      failing,
      (error) => CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions?.['reason'] === 'GROUP_NOT_FOUND',
    );
  },

  'appends the next page to a cached list': async (scenario) => {
    const { client } = await connectAs(scenario, 'owner');
    const list = client.watchQuery({ query: MEMBERS_DOCUMENT, variables: { id: scenario.groupId, first: 1 } });
    const watched = list.subscribe(() => undefined);
    await waitUntil('the first page', () => list.getCurrentResult().data !== undefined, SOON_MS);
    const after = (list.getCurrentResult().data as MembersData).group.members.pageInfo.endCursor;
    await list.fetchMore({ variables: { after } });
    const read = () => (list.getCurrentResult().data as MembersData).group.members;
    await waitUntil('the second page', () => read().edges.length > 1, SOON_MS);
    const members = read();
    watched.unsubscribe();
    assert.deepEqual(
      members.edges.map(({ node }) => node.user.id),
      [scenario.owner.id, scenario.guest.id],
    );
    assert.equal(members.pageInfo.hasNextPage, false);
  },

  'receives live changes as parts, without a further link': async (scenario) => {
    const { client, exchanges } = await connectAs(scenario, 'owner');
    await receiveChanges(client, scenario);
    assert.match(exchanges[0]?.contentType ?? '', /^multipart\/mixed/);
  },

  'receives live changes as events, by the documented link': async (scenario) => {
    const { url } = scenario;
    const { fetch, exchanges } = await recordAs(scenario, 'owner');
    const link = createSseLink(url, fetch);
    await receiveChanges(new ApolloClient({ link, cache: new InMemoryCache() }), scenario);
    assert.equal(exchanges[0]?.contentType, 'text/event-stream');
  },

  'ends a subscription with its reason': async (scenario) => {
    const { client } = await connectAs(scenario, 'owner');
    const error = await new Promise<unknown>((resolve, reject) => {
      client.subscribe({ query: CHANGES_DOCUMENT, variables: { id: scenario.owner.id } }).subscribe({
        next: ({ error: received }) => {
          resolve(received);
        },
        error: resolve,
        complete: () => {
          reject(new Error('the subscription has completed without an error'));
        },
      });
    });
    assert(CombinedProtocolErrors.is(error), String(error));
    assert.equal(error.errors[0]?.extensions?.['reason'], 'GROUP_NOT_FOUND');
  },

  'sends the text of the document after a persisted query was not supported': async (scenario) => {
    const { url } = scenario;
    const { fetch, exchanges } = await recordAs(scenario, 'owner');
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    const link = ApolloLink.from([new PersistedQueryLink({ sha256 }), new HttpLink({ uri: `${url}/graphql`, fetch })]);
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const { data } = await client.query({ query: ME_DOCUMENT });
    await client.query({ query: ME_DOCUMENT, fetchPolicy: 'network-only' });
    assert.equal(data?.me.username, scenario.owner.username);
    assert.deepEqual(
      exchanges.map(({ body }) => body.includes('"query"')),
      [false, true, true],
    );
  },
});

async function recordAs(scenario: Scenario, user: 'owner' | 'guest'): Promise<RecordingFetch> {
  const { url } = scenario;
  return recordingFetch(withToken(createSession(url, await logIn(url, scenario[user]))));
}

async function connectAs(scenario: Scenario, user: 'owner' | 'guest') {
  const { fetch, exchanges } = await recordAs(scenario, user);
  return { client: connectApolloClient(scenario.url, fetch), exchanges };
}

/** Expects the two earlier changes of the group, and then one that happens meanwhile. */
async function receiveChanges(client: ApolloClient, { guest, groupId: id }: Scenario): Promise<void> {
  const causes: unknown[] = [];
  const subscription = client
    .subscribe({ query: CHANGES_DOCUMENT, variables: { id, after: 0 } })
    .subscribe(({ data, error }) => causes.push(error ?? data?.groupChanged.cause));
  await waitUntil('the earlier changes', () => causes.length >= 2, SOON_MS);
  await respondToGroup(guest, id, 'ACCEPTED');
  await waitUntil('the live change', () => causes.length >= 3, SOON_MS);
  subscription.unsubscribe();
  assert.deepEqual(causes, ['CREATED', 'INVITED', 'RESPONSE']);
}

function describeGroup({ group }: MembersData, userId: string): string {
  const member = group.members.edges.find(({ node }) => node.user.id === userId);
  return `${group.state}, ${String(member?.node.status)}`;
}
