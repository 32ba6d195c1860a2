import { CombinedGraphQLErrors, gql, type ApolloClient, type TypedDocumentNode } from '@apollo/client';
import { CHANGES, ME, MEMBERS, RESPOND, type ChangesData, type MembersData } from '../operations.js';
import { connectApolloClient } from './apollo-client.js';
import { createSession, requestTokens, withToken } from './session.js';

export interface PageInput {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly userId: string;
  readonly groupId: string;
}

/** What the page has read. */
interface PageOutput {
  readonly username: string | undefined;
  readonly stateBefore: string | undefined;
  /** Of the cached list, which the mutation has changed. */
  readonly stateAfter: string | undefined;
  readonly error: unknown;
  readonly change: string | undefined;
}

export type UseService = (input: PageInput) => Promise<PageOutput>;

const ME_DOCUMENT = gql(ME) as TypedDocumentNode<{ me: { username: string } }>;
const MEMBERS_DOCUMENT = gql(MEMBERS) as TypedDocumentNode<MembersData>;
/** The revision of a group that was created with its guests. */
const FIRST_REVISIONS = 2;

const useService: UseService = async ({ url, username, password, userId, groupId }) => {
  const session = createSession(url, await requestTokens(url, { username, password }));
  const client = connectApolloClient(url, withToken(session));
  const me = await client.query({ query: ME_DOCUMENT });
  const list = { query: MEMBERS_DOCUMENT, variables: { id: groupId, first: 10 } };
  const before = await client.query(list);
  const change = nextChange(client, groupId);
  await client.mutate({ mutation: gql(RESPOND), variables: { groupId, userId, status: 'ACCEPTED' } });
  return {
    username: me.data?.me.username,
    stateBefore: before.data?.group.state,
    stateAfter: client.readQuery(list)?.group.state,
    error: await reasonOf(client.query({ query: MEMBERS_DOCUMENT, variables: { id: userId, first: 1 } })),
    change: await change,
  };
};

function nextChange(client: ApolloClient, id: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    client.subscribe<ChangesData>({ query: gql(CHANGES), variables: { id, after: FIRST_REVISIONS } }).subscribe({
      next: ({ data, error }) => {
        if (error === undefined) resolve(data?.groupChanged.cause);
        else reject(new Error(error.message));
      },
      error: reject,
    });
  });
}

async function reasonOf(failing: Promise<unknown>): Promise<unknown> {
  const error = await failing.then(() => null).catch((reason: unknown) => reason);
  return CombinedGraphQLErrors.is(error) ? error.errors[0]?.extensions?.['reason'] : String(error);
}

Object.assign(globalThis, { useService });
