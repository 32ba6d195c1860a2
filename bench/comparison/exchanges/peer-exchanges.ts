import { createHmac } from 'node:crypto';
import { byMember, byWriter } from './callers.js';
import {
  groupOf,
  isScore,
  membershipOf,
  NEW_PASSWORD,
  PASSWORD,
  plainStatus,
  SEATS,
  userOf,
  writeOf,
} from './choices.js';
import type { Exchanges } from './exchange.js';
import { graphqlRequest, JSON_BODY } from './graphql-request.js';

export const TOKEN_SECRET = 'secret-of-the-benchmark';

interface PlainMember {
  readonly status: string;
  readonly user: { readonly username: string };
}

function isPage(members: readonly PlainMember[]): boolean {
  return (
    members.length === SEATS && members.every(({ status, user }) => status !== '' && user.username.startsWith('user'))
  );
}

const name = (i: number): string => `user${String(userOf(i))}`;

interface GroupAnswer {
  readonly data: {
    readonly group: {
      readonly members: readonly PlainMember[];
      readonly acceptedCount: number;
      readonly score: number;
    };
  };
}

/** GraphQL written by hand: mercurius and Apollo Server. */
export function handWrittenExchanges(): Exchanges {
  const macOf = (text: string): string => createHmac('sha256', TOKEN_SECRET).update(text).digest('base64url');
  const bearer = (user: number) => ({ authorization: `Bearer ${String(user)}.${macOf(String(user))}` });
  const group = (fields: string) =>
    byMember((i, user) =>
      graphqlRequest(`query ($id: Int!) { group(id: $id) { ${fields} } }`, { id: groupOf(i) }, bearer(user)),
    );
  return {
    me: {
      request: (i) => graphqlRequest('{ me { id username email displayName } }', {}, bearer(userOf(i))),
      isRight: (body: { readonly data: { readonly me: { readonly username: string } } }, i) =>
        body.data.me.username === name(i),
    },
    members: {
      ...group('members { id status user { id username displayName } }'),
      isRight: (body: GroupAnswer) => isPage(body.data.group.members),
    },
    'accepted-count': {
      ...group('acceptedCount'),
      isRight: (body: GroupAnswer) => body.data.group.acceptedCount >= 0,
    },
    score: { ...group('score'), isRight: (body: GroupAnswer, i) => isScore(body.data.group.score, i) },
    status: {
      ...byWriter(writeOf, (write, user) =>
        graphqlRequest(
          'mutation ($id: Int!, $status: Status!) { setStatus(id: $id, status: $status) { id status } }',
          { id: membershipOf(write), status: plainStatus(write) },
          bearer(user),
        ),
      ),
      isRight: (body: { readonly data: { readonly setStatus: { readonly status: string } } }, i) =>
        body.data.setStatus.status === plainStatus(writeOf(i)),
    },
  };
}

interface RowAnswer {
  readonly data: {
    readonly userByRowId: { readonly username: string };
    readonly groupByRowId: {
      readonly membersByGroupId: { readonly nodes: readonly PlainMember[] };
      readonly acceptedCount: number;
      readonly score: number;
    };
  };
}

/** The generated schema of PostGraphile, without authentication. */
export function postgraphileExchanges(): Exchanges {
  const group = (fields: string) => (i: number) =>
    graphqlRequest(`query ($id: Int!) { groupByRowId(rowId: $id) { ${fields} } }`, { id: groupOf(i) }, {});
  return {
    me: {
      request: (i) =>
        graphqlRequest(
          'query ($id: Int!) { userByRowId(rowId: $id) { rowId username email displayName } }',
          { id: userOf(i) },
          {},
        ),
      isRight: (body: RowAnswer, i) => body.data.userByRowId.username === name(i),
    },
    members: {
      request: group(
        'membersByGroupId(first: 20) { nodes { rowId status user: userByUserId { rowId username displayName } } }',
      ),
      isRight: (body: RowAnswer) => isPage(body.data.groupByRowId.membersByGroupId.nodes),
    },
    'accepted-count': {
      request: group('acceptedCount'),
      isRight: (body: RowAnswer) => body.data.groupByRowId.acceptedCount >= 0,
    },
    score: { request: group('score'), isRight: (body: RowAnswer, i) => isScore(body.data.groupByRowId.score, i) },
    status: {
      request: (i) =>
        graphqlRequest(
          'mutation ($id: Int!, $status: MemberStatus!) { ' +
            'setMemberStatus(input: { memberId: $id, newStatus: $status }) { result { rowId status } } }',
          { id: membershipOf(writeOf(i)), status: plainStatus(writeOf(i)) },
          {},
        ),
      isRight: (
        body: { readonly data: { readonly setMemberStatus: { readonly result: { readonly rowId: number } } } },
        i,
      ) => body.data.setMemberStatus.result.rowId === membershipOf(writeOf(i)),
    },
  };
}

/** Without scores, counters, and a recalculated state. */
export function betterAuthExchanges(port: number): Exchanges {
  const origin = `http://127.0.0.1:${String(port)}`;
  const as = (user: number) => ({ authorization: `Bearer tok${String(user)}`, origin });
  return {
    me: {
      request: (i) => ({ path: '/api/auth/get-session', headers: as(userOf(i)) }),
      isRight: (body: { readonly user: { readonly username: string } }, i) => body.user.username === name(i),
    },
    members: {
      ...byMember((i, user) => ({
        path: `/api/auth/organization/list-members?organizationId=g${String(groupOf(i))}&limit=20`,
        headers: as(user),
      })),
      isRight: (body: { readonly members: readonly unknown[] }) => body.members.length === SEATS,
    },
    login: {
      request: (i) => ({
        method: 'POST',
        path: '/api/auth/sign-in/username',
        headers: { ...JSON_BODY, origin },
        body: { username: name(i), password: PASSWORD },
      }),
      isRight: (body: { readonly token: string }) => body.token !== '',
    },
    register: {
      request: (i) => ({
        method: 'POST',
        path: '/api/auth/sign-up/email',
        headers: { ...JSON_BODY, origin },
        body: {
          username: `new${String(i)}`,
          name: `New ${String(i)}`,
          email: `new${String(i)}@example.test`,
          password: NEW_PASSWORD,
        },
      }),
      isRight: (body: { readonly user: { readonly email: string } }, i) =>
        body.user.email === `new${String(i)}@example.test`,
    },
  };
}

/** Its status change writes the row of the member, and recalculates nothing. */
export function parseServerExchanges(): Exchanges {
  const application = { 'x-parse-application-id': 'bench' };
  const where = (condition: object): string => encodeURIComponent(JSON.stringify(condition));
  const group = (i: number) => ({ __type: 'Pointer', className: 'Group', objectId: `g${String(groupOf(i))}` });
  return {
    me: {
      request: (i) => ({
        path: '/parse/users/me',
        headers: { ...application, 'x-parse-session-token': `r:tok${String(userOf(i))}` },
      }),
      isRight: (body: { readonly username: string }, i) => body.username === name(i),
    },
    members: {
      request: (i) => ({
        path: `/parse/classes/Member?where=${where({ group: group(i) })}&include=user&limit=20`,
        headers: application,
      }),
      isRight: (body: { readonly results: readonly PlainMember[] }) => isPage(body.results),
    },
    'accepted-count': {
      request: (i) => ({
        path: `/parse/classes/Group/g${String(groupOf(i))}?keys=acceptedCount`,
        headers: application,
      }),
      isRight: (body: { readonly acceptedCount: number }) => body.acceptedCount >= 0,
    },
    score: {
      request: (i) => ({ path: `/parse/classes/Group/g${String(groupOf(i))}?keys=score`, headers: application }),
      isRight: (body: { readonly score: number }, i) => isScore(body.score, i),
    },
    status: {
      request: (i) => ({
        method: 'PUT',
        path: `/parse/classes/Member/m${String(membershipOf(writeOf(i)))}`,
        headers: { ...JSON_BODY, ...application },
        body: { status: plainStatus(writeOf(i)) },
      }),
      isRight: (body: { readonly updatedAt: string }) => body.updatedAt !== '',
    },
    login: {
      request: (i) => ({
        method: 'POST',
        path: '/parse/login',
        headers: { ...JSON_BODY, ...application },
        body: { username: name(i), password: PASSWORD },
      }),
      isRight: (body: { readonly sessionToken: string }) => body.sessionToken !== '',
    },
    register: {
      request: (i) => ({
        method: 'POST',
        path: '/parse/users',
        headers: { ...JSON_BODY, ...application },
        body: { username: `new${String(i)}`, password: NEW_PASSWORD },
      }),
      isRight: (body: { readonly sessionToken: string }) => body.sessionToken !== '',
      status: 201,
    },
  };
}
