import { byMember, byWriter } from './callers.js';
import {
  groupOf,
  hotWriteOf,
  isScore,
  NEW_PASSWORD,
  PASSWORD,
  productStatus,
  SEATS,
  userOf,
  writeOf,
  type Write,
} from './choices.js';
import type { BenchRequest, Exchange, Exchanges } from './exchange.js';
import { graphqlRequest, JSON_BODY } from './graphql-request.js';

/** Access tokens by the number of the user. */
export type Tokens = readonly string[];

const uuid = (kind: string, n: number): string => `00000000-0000-7000-${kind}-${n.toString(16).padStart(12, '0')}`;
export const userId = (n: number): string => uuid('8000', n);
export const sessionId = (n: number): string => uuid('a000', n);
const groupId = (n: number): string => uuid('9000', n);

interface ListedMember {
  readonly status: string;
  readonly username?: string;
  readonly user?: { readonly username: string };
}

function isPage(members: readonly ListedMember[]): boolean {
  return (
    members.length === SEATS &&
    members.every(({ status, username, user }) => status !== '' && (username ?? user?.username)?.startsWith('user'))
  );
}

/** The REST paths of the service, which the reference answers too. */
export function restExchanges(tokens: Tokens): Exchanges {
  const as = (user: number) => ({ authorization: `Bearer ${tokens[user] ?? ''}` });
  const get = (path: string, user: number): BenchRequest => ({ path, headers: as(user) });
  const read = (path: string) => byMember((i, user) => get(`/api/groups/${groupId(groupOf(i))}/${path}`, user));
  const write = (choose: (i: number) => Write): Exchange => ({
    ...byWriter(choose, (chosen, user) => ({
      method: 'PATCH',
      path: `/api/groups/${groupId(chosen.group)}/users/${userId(chosen.user)}/status`,
      headers: { ...JSON_BODY, ...as(user) },
      body: { status: productStatus(chosen) },
    })),
    isRight: (body: { readonly status: string; readonly group_id: string }, i) =>
      body.status === productStatus(choose(i)) && body.group_id === groupId(choose(i).group),
  });
  return {
    me: {
      request: (i) => get('/api/auth/me', userOf(i)),
      isRight: (body: { readonly username: string; readonly email: string }, i) =>
        body.username === `user${String(userOf(i))}` && body.email !== '',
    },
    members: {
      ...read('members?limit=20'),
      isRight: (body: { readonly members: readonly ListedMember[] }) => isPage(body.members),
    },
    'accepted-count': {
      ...read('accepted-count'),
      isRight: (body: { readonly accepted_count: number }) => body.accepted_count >= 0,
    },
    score: {
      ...read('compatibility_score'),
      isRight: (body: { readonly compatibility_score: number }, i) => isScore(body.compatibility_score, i),
    },
    status: write(writeOf),
    'hot-group': write(hotWriteOf),
    login: {
      request: (i) => ({
        method: 'POST',
        path: '/api/auth/token',
        headers: JSON_BODY,
        body: { username: `user${String(userOf(i))}`, password: PASSWORD },
      }),
      isRight: (body: { readonly access_token: string }) => body.access_token !== '',
    },
    register: {
      request: (i) => ({
        method: 'POST',
        path: '/api/auth/register',
        headers: JSON_BODY,
        body: { username: `new-${String(i)}`, password: NEW_PASSWORD },
      }),
      isRight: (body: { readonly username: string }, i) => body.username === `new-${String(i)}`,
      status: 201,
    },
  };
}

const GROUP = 'group(id: $id)';

/** The same operations as GraphQL requests. */
export function graphqlExchanges(tokens: Tokens): Exchanges {
  const as = (user: number) => ({ authorization: `Bearer ${tokens[user] ?? ''}` });
  const readGroup = (name: string, fields: string) =>
    byMember((i, user) =>
      graphqlRequest(`query ${name}($id: UUID!) { ${GROUP} { ${fields} } }`, { id: groupId(groupOf(i)) }, as(user)),
    );
  const write = (choose: (i: number) => Write): Exchange => ({
    ...byWriter(choose, (chosen, user) => {
      const input = {
        groupId: groupId(chosen.group),
        userId: userId(chosen.user),
        status: productStatus(chosen).toUpperCase(),
      };
      const document =
        'mutation Respond($input: UpdateMemberStatusInput!) { updateMemberStatus(input: $input) { member { status } ' +
        'group { state acceptedCount } } }';
      return graphqlRequest(document, { input }, as(user));
    }),
    isRight: (body: { readonly data: { readonly updateMemberStatus: { readonly member: { status: string } } } }, i) =>
      body.data.updateMemberStatus.member.status === productStatus(choose(i)).toUpperCase(),
  });
  return {
    me: {
      request: (i) => graphqlRequest('query Me { me { id username email displayName } }', {}, as(userOf(i))),
      isRight: (body: { readonly data: { readonly me: { readonly username: string } } }, i) =>
        body.data.me.username === `user${String(userOf(i))}`,
    },
    members: {
      ...readGroup('Members', 'members(first: 20) { nodes { status user { id username displayName } } }'),
      isRight: (body: {
        readonly data: { readonly group: { readonly members: { readonly nodes: readonly ListedMember[] } } };
      }) => isPage(body.data.group.members.nodes),
    },
    'accepted-count': {
      ...readGroup('Count', 'acceptedCount'),
      isRight: (body: { readonly data: { readonly group: { readonly acceptedCount: number } } }) =>
        body.data.group.acceptedCount >= 0,
    },
    score: {
      ...readGroup('Score', 'compatibilityScore { value }'),
      isRight: (
        body: { readonly data: { readonly group: { readonly compatibilityScore: { readonly value: number } } } },
        i,
      ) => isScore(body.data.group.compatibilityScore.value, i),
    },
    status: write(writeOf),
    'hot-group': write(hotWriteOf),
  };
}
