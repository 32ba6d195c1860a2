import { randomUUID } from 'node:crypto';
import type { TestClient, TestResponse } from '../support/http/test-client.js';
import { PASSWORD, type TestUser } from '../support/service/test-users.js';

/** The objects that the operations refer to. */
export interface BudgetFixture {
  readonly anonymous: TestClient;
  /** Owns both groups. */
  readonly owner: TestUser;
  /** A group with 20 members and a score. */
  readonly groupId: string;
  /** A group to invite to. */
  readonly growingGroupId: string;
  /** Accounts that are not invited yet. */
  readonly strangerIds: string[];
  /** An API client that may record scores. */
  readonly scorer: TestClient;
  /** Makes the service read pages of members again. */
  readonly changeNames: () => Promise<unknown>;
}

/** Sends the request once more. */
type Send = () => Promise<TestResponse>;

type Prepare = (fixture: BudgetFixture) => Send | Promise<Send>;

const FIRST_PAGE = ({ groupId }: BudgetFixture): string => `/api/groups/${groupId}/members?limit=20`;
const MEMBERS = 'members(first: 20) { nodes { status user { id username displayName } } }';

/** The operations that clients send most, by the name under which the budget lists them. */
const OPERATIONS: Readonly<Record<string, Prepare>> = {
  'me (REST)': getting(() => '/api/auth/me'),
  'me (GraphQL)': ({ owner }) => repeating(owner, '{ me { id username email displayName } }'),
  'first page of members (REST)': getting(FIRST_PAGE),
  'first page of members (GraphQL)': readingGroup(MEMBERS),
  'first page of members, changed (REST)': afterEachChange(getting(FIRST_PAGE)),
  'first page of members, changed (GraphQL)': afterEachChange(readingGroup(MEMBERS)),
  'accepted count (REST)': getting(({ groupId }) => `/api/groups/${groupId}/accepted-count`),
  'accepted count (GraphQL)': readingGroup('acceptedCount'),
  'score (REST)': getting(({ groupId }) => `/api/groups/${groupId}/compatibility_score`),
  'score (GraphQL)': readingGroup('compatibilityScore { value }'),
  'state (GraphQL)': readingGroup('state responseCounts { accepted pending }'),
  'my groups (GraphQL)': ({ owner }) =>
    repeating(owner, '{ me { memberships(first: 20) { nodes { status group { id name state acceptedCount } } } } }'),
  'response (REST)': ({ owner, groupId }) => {
    const nextStatus = alternating('accepted', 'declined');
    return () => owner.patch(`/api/groups/${groupId}/users/${owner.id}/status`, { status: nextStatus() });
  },
  'response (GraphQL)': ({ owner, groupId }) => {
    const nextStatus = alternating('ACCEPTED', 'DECLINED');
    const document = mutation('updateMemberStatus', '{ member { status } group { state acceptedCount } }');
    return () => post(owner, document, { input: { groupId, userId: owner.id, status: nextStatus() } });
  },
  'login (REST)': ({ anonymous, owner }) => {
    const body = { username: owner.username, password: PASSWORD };
    return () => anonymous.post('/api/auth/token', body);
  },
  'login (GraphQL)': ({ anonymous, owner }) =>
    repeating(anonymous, mutation('issueToken', '{ accessToken refreshToken }'), {
      input: { username: owner.username, password: PASSWORD },
    }),
  'registration (REST)': ({ anonymous }) => {
    return () => anonymous.post('/api/auth/register', newAccount());
  },
  'registration (GraphQL)': ({ anonymous }) => {
    const document = mutation('register', '{ user { id } }');
    return () => post(anonymous, document, { input: newAccount() });
  },
  'refresh (REST)': refreshing(({ anonymous }, refreshToken) =>
    anonymous.post('/api/auth/token', { grant_type: 'refresh_token', refresh_token: refreshToken }),
  ),
  'refresh (GraphQL)': refreshing(({ anonymous }, refreshToken) =>
    post(anonymous, mutation('refreshToken', '{ accessToken refreshToken }'), { input: { refreshToken } }),
  ),
  'group creation (GraphQL)': ({ owner }) =>
    repeating(owner, mutation('createGroup', '{ group { id } }'), { input: { name: 'Supper club', quorum: 2 } }),
  'invitation of a user (GraphQL)': ({ owner, growingGroupId: groupId, strangerIds }) => {
    const document = mutation('inviteToGroup', '{ group { memberCount } }');
    return () => post(owner, document, { input: { groupId, invitees: [{ userId: strangerIds.pop() }] } });
  },
  'score recording (GraphQL)': ({ scorer, groupId }) =>
    repeating(scorer, mutation('recordCompatibilityScore', '{ group { id } }'), {
      input: { groupId, value: 50, source: 'matcher' },
    }),
};

export const OPERATION_NAMES = Object.keys(OPERATIONS);

/**
 * @returns sends the operation
 * @throws Error, from the returned function, when the service sends no response, or one that is no success
 */
export async function prepareOperation(name: string, fixture: BudgetFixture): Promise<() => Promise<void>> {
  const prepare = OPERATIONS[name];
  if (prepare === undefined) throw new Error(`Unknown operation ${name}`);
  const send = await prepare(fixture);
  return async () => {
    const { status, text } = await send().catch((cause: unknown) => {
      throw new Error(`${name} got no response`, { cause });
    });
    if (status >= 300 || text.includes('"errors"')) throw new Error(`${name} failed: ${String(status)} ${text}`);
  };
}

function getting(pathOf: (fixture: BudgetFixture) => string): Prepare {
  return (fixture) => {
    const path = pathOf(fixture);
    return () => fixture.owner.get(path);
  };
}

function readingGroup(fields: string): Prepare {
  return ({ owner, groupId }) =>
    repeating(owner, `query ($id: UUID!) { group(id: $id) { ${fields} } }`, { id: groupId });
}

/** Sends each request after a change of names. */
function afterEachChange(prepare: Prepare): Prepare {
  return async (fixture) => {
    const send = await prepare(fixture);
    return async () => {
      await fixture.changeNames();
      return send();
    };
  };
}

/** Each use takes the refresh token of the response before. */
function refreshing(refresh: (fixture: BudgetFixture, token: string) => Promise<TestResponse>): Prepare {
  return async (fixture) => {
    const { anonymous, owner } = fixture;
    let latest = await anonymous.post('/api/auth/token', { username: owner.username, password: PASSWORD });
    return async () => (latest = await refresh(fixture, refreshTokenIn(latest)));
  };
}

function refreshTokenIn({ text }: TestResponse): string {
  return /"refresh_?[tT]oken":"([^"]+)"/.exec(text)?.[1] ?? '';
}

function repeating(client: TestClient, query: string, variables: object = {}): Send {
  return () => post(client, query, variables);
}

function post(client: TestClient, query: string, variables: object): Promise<TestResponse> {
  return client.post('/graphql', { query, variables });
}

function mutation(field: string, selection: string): string {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
  return `mutation ($input: ${type}!) { ${field}(input: $input) ${selection} }`;
}

function newAccount(): object {
  const username = `p-${randomUUID().slice(24)}`;
  return { username, password: PASSWORD, email: `${username}@example.org` };
}

function alternating<T>(one: T, other: T): () => T {
  let isFirst = false;
  return () => {
    isFirst = !isFirst;
    return isFirst ? one : other;
  };
}
