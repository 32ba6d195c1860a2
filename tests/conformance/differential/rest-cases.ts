import { PASSWORD } from '../../support/service/test-users.js';
import { UNKNOWN_ID } from '../../support/unknown-id.js';
import type { Caller, World } from './world.js';

type Json = Readonly<Record<string, unknown>>;

interface RestRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: Json;
}

/** A request of REST and the operation that it means. */
export interface RestCase {
  readonly title: string;
  readonly caller: Caller;
  readonly request: (world: World) => RestRequest;
  /** An operation of `schema/operations` with its variables. */
  readonly operation: string;
  readonly variables: (world: World) => Json;
  readonly success: number;
  /** The members of the body that the data of the operation gives. */
  readonly toBody: (data: never) => Json;
}

interface GroupData {
  readonly group: {
    readonly id: string;
    readonly acceptedCount: number;
    readonly members: { readonly totalCount: number; readonly nodes: readonly { readonly user: Json }[] };
    readonly compatibilityScore: Json | null;
  };
}

const CALLERS: readonly Caller[] = ['owner', 'member', 'stranger', 'admin', 'anonymous', 'malformed', 'expired'];
const GROUP_IDS: Readonly<Record<string, (world: World) => string>> = {
  'a group': ({ groupId }) => groupId,
  'a group in upper case': ({ groupId }) => groupId.toUpperCase(),
  'an unknown group': () => UNKNOWN_ID,
};
const REGISTRATIONS: readonly Json[] = [
  {},
  { username: 'x' },
  { username: '', password: PASSWORD },
  { username: 'differential', password: 'short' },
  { username: 'differential', password: 'passwordpassword' },
  { username: 'differential', password: PASSWORD, email: 'nonsense' },
  { username: 'differential', password: PASSWORD, invitation: 'nonsense' },
  { username: 'x'.repeat(200), password: PASSWORD },
];

export const REST_CASES: readonly RestCase[] = [
  ...CALLERS.flatMap((caller) => [ofMe(caller), ...Object.keys(GROUP_IDS).flatMap((group) => ofGroup(group, caller))]),
  ...CALLERS.flatMap((caller) =>
    ['ACCEPTED', 'ACCEPTED', 'DECLINED', 'PENDING'].flatMap((status) => [
      ofStatus('a member', caller, status, ({ member }) => member.id),
      ofStatus('an unknown member', caller, status, () => UNKNOWN_ID),
    ]),
  ),
  ...REGISTRATIONS.filter(isTyped).map(ofRegistration),
  ofLogin('a wrong password', ({ owner }) => ({ username: owner.username, password: 'not the password' })),
  ofLogin('an unknown name', ({ freeName }) => ({ username: freeName, password: PASSWORD })),
  ofLogin('the password', ({ owner }) => ({ username: owner.username, password: PASSWORD })),
  {
    title: 'a refresh token that is not valid',
    caller: 'anonymous',
    request: () => ({
      method: 'POST',
      path: '/api/auth/token',
      body: { grant_type: 'refresh_token', refresh_token: 'nonsense' },
    }),
    operation: 'RefreshToken',
    variables: () => ({ input: { refreshToken: 'nonsense' } }),
    success: 200,
    toBody: () => ({}),
  },
];

function ofMe(caller: Caller): RestCase {
  return {
    title: `the profile as ${caller}`,
    caller,
    request: () => ({ method: 'GET', path: '/api/auth/me' }),
    operation: 'Me',
    variables: () => ({}),
    success: 200,
    toBody: ({ me }: { readonly me: Json & { readonly roles: readonly string[] } }) => ({
      user_id: me.id,
      username: me.username,
      email: me.email,
      email_verified: me.emailVerified,
      display_name: me.displayName,
      created_at: me.createdAt,
      roles: me.roles.map((role) => role.toLowerCase()),
    }),
  };
}

function ofGroup(name: string, caller: Caller): RestCase[] {
  const idOf = GROUP_IDS[name] ?? (() => '');
  const read = (
    path: string,
    operation: string,
    toBody: (data: GroupData) => Json,
    variables: Json = {},
  ): RestCase => ({
    title: `${operation} of ${name} as ${caller}, ${path}`,
    caller,
    request: (world) => ({ method: 'GET', path: `/api/groups/${idOf(world)}/${path}` }),
    operation,
    variables: (world) => ({ groupId: idOf(world), ...variables }),
    success: 200,
    toBody,
  });
  return [
    read('accepted-count', 'AcceptedCount', ({ group }) => ({
      group_id: group.id,
      accepted_count: group.acceptedCount,
    })),
    read('compatibility_score', 'CompatibilityScore', ({ group }) => ({
      group_id: group.id,
      compatibility_score: group.compatibilityScore,
    })),
    read('members', 'Members', toMembers, { first: 1_000 }),
    read('members?limit=2', 'Members', toMembers, { first: 2 }),
    read('members?status=accepted', 'Members', toMembers, { first: 1_000, status: 'ACCEPTED' }),
    read('members?limit=0', 'Members', toMembers, { first: 0 }),
    read('members?limit=1001', 'Members', toMembers, { first: 1_001 }),
    read('members?limit=2&cursor=nonsense', 'Members', toMembers, { first: 2, after: 'nonsense' }),
  ];
}

function toMembers({ group: { id, members } }: GroupData): Json {
  return {
    group_id: id,
    total: members.totalCount,
    members: members.nodes.map(({ user }) => ({ user_id: user.id, username: user.username })),
  };
}

function ofStatus(name: string, caller: Caller, status: string, userOf: (world: World) => string): RestCase {
  return {
    title: `${status} of ${name} as ${caller}`,
    caller,
    request: (world) => ({
      method: 'PATCH',
      path: `/api/groups/${world.groupId}/users/${userOf(world)}/status`,
      body: { status: status.toLowerCase() },
    }),
    operation: 'UpdateMemberStatus',
    variables: (world) => ({ input: { groupId: world.groupId, userId: userOf(world), status } }),
    success: 200,
    toBody: ({ updateMemberStatus: { changed, member, group } }: { readonly updateMemberStatus: StatusData }) => ({
      changed,
      status: member.status.toLowerCase(),
      group_state: group.state.toLowerCase(),
      accepted_count: group.acceptedCount,
    }),
  };
}

interface StatusData {
  readonly changed: boolean;
  readonly member: { readonly status: string };
  readonly group: { readonly state: string; readonly acceptedCount: number };
}

/** What GraphQL lacks a variable for is an error of another kind than the missing member of a body. */
function isTyped({ username, password }: Json): boolean {
  return username !== undefined && password !== undefined;
}

function ofRegistration(input: Json): RestCase {
  return {
    title: `registration with ${JSON.stringify(input).slice(0, 80)}`,
    caller: 'anonymous',
    request: () => ({ method: 'POST', path: '/api/auth/register', body: input }),
    operation: 'Register',
    variables: () => ({ input }),
    success: 201,
    toBody: () => ({}),
  };
}

function ofLogin(title: string, inputOf: (world: World) => Json): RestCase {
  return {
    title: `login with ${title}`,
    caller: 'anonymous',
    request: (world) => ({ method: 'POST', path: '/api/auth/token', body: inputOf(world) }),
    operation: 'IssueToken',
    variables: (world) => ({ input: inputOf(world) }),
    success: 200,
    toBody: ({ issueToken }: { readonly issueToken: Json }) => ({
      token_type: String(issueToken.tokenType).toLowerCase(),
      expires_in: issueToken.expiresIn,
    }),
  };
}
