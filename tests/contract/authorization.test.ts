import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLObjectType,
} from 'graphql';
import type { Reason } from '../../src/errors/index.js';
import { buildGraphqlSchema } from '../../src/graphql/schema.js';
import { ROUTES } from '../../src/rest/index.js';
import { TestClient, type GraphqlResponse } from '../support/http/test-client.js';
import { subscribe } from '../support/http/test-subscription.js';
import { FAKE_HASHER } from '../support/service/test-core.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import {
  createApiKeyClient,
  createGroupViaApi,
  registerAdmin,
  registerUser,
  type TestUser,
} from '../support/service/test-users.js';
import { documentOf, OPERATIONS, type OperationFixture, type OperationName } from './operations.js';

/** Every kind of caller that has a rule. The API clients are named by their scope. */
const CALLERS = [
  'anonymous',
  'stranger',
  'member',
  'owner',
  'admin',
  'groups:read',
  'responses:write',
  'scores:write',
] as const;
type CallerName = (typeof CALLERS)[number];
type Outcome = 'ok' | Reason;
type Outcomes = Readonly<Record<CallerName, Outcome>>;

/** The outcomes in the order of `CALLERS`. The three kinds of API client may share one. */
function row(
  anonymous: Outcome,
  stranger: Outcome,
  member: Outcome,
  owner: Outcome,
  admin: Outcome,
  ...apiClients: [Outcome] | [Outcome, Outcome, Outcome]
): Outcomes {
  const [reads, responds = reads, scores = reads] = apiClients;
  return {
    anonymous,
    stranger,
    member,
    owner,
    admin,
    'groups:read': reads,
    'responses:write': responds,
    'scores:write': scores,
  };
}

const PUBLIC = row('ok', 'ok', 'ok', 'ok', 'ok', 'ok');
const USERS = row('TOKEN_MISSING', 'ok', 'ok', 'ok', 'ok', 'SCOPE_REQUIRED');
/** Hidden and missing objects are null, for each caller with a token. */
const AUTHENTICATED = row('TOKEN_MISSING', 'ok', 'ok', 'ok', 'ok', 'ok');
const READERS = row('TOKEN_MISSING', 'GROUP_NOT_FOUND', 'ok', 'ok', 'ok', 'ok', 'SCOPE_REQUIRED', 'SCOPE_REQUIRED');
const OWNERS = row('TOKEN_MISSING', 'GROUP_NOT_FOUND', 'OWNER_REQUIRED', 'ok', 'ok', 'SCOPE_REQUIRED');
const ANSWERERS = row(
  'TOKEN_MISSING',
  'GROUP_NOT_FOUND',
  'ok',
  'NOT_YOUR_MEMBERSHIP',
  'ok',
  'SCOPE_REQUIRED',
  'ok',
  'SCOPE_REQUIRED',
);

function admins(outcome: Outcome): Outcomes {
  return row('TOKEN_MISSING', 'ADMIN_REQUIRED', 'ADMIN_REQUIRED', 'ADMIN_REQUIRED', outcome, 'SCOPE_REQUIRED');
}

const ADMINS = admins('ok');

function publicly(outcome: Outcome): Outcomes {
  return row(outcome, outcome, outcome, outcome, outcome, outcome);
}

function users(outcome: Outcome): Outcomes {
  return row('TOKEN_MISSING', outcome, outcome, outcome, outcome, 'SCOPE_REQUIRED');
}

/**
 * The authorization rules, operation by operation. An operation with invalid input returns its error only to authorized
 * callers.
 */
const GRAPHQL: Readonly<Record<OperationName, Outcomes>> = {
  me: USERS,
  group: READERS,
  user: row('TOKEN_MISSING', 'USER_NOT_FOUND', 'ok', 'ok', 'ok', 'SCOPE_REQUIRED'),
  node: AUTHENTICATED,
  nodes: AUTHENTICATED,
  invitation: publicly('INVITATION_NOT_FOUND'),

  register: PUBLIC,
  issueToken: PUBLIC,
  refreshToken: publicly('REFRESH_INVALID'),
  revokeToken: USERS,
  revokeSession: users('SESSION_NOT_FOUND'),
  requestEmailVerification: USERS,
  verifyEmail: publicly('SECRET_INVALID'),
  requestPasswordReset: PUBLIC,
  resetPassword: publicly('SECRET_INVALID'),
  changePassword: users('WRONG_CREDENTIALS'),
  updateProfile: USERS,
  deleteAccount: users('WRONG_CREDENTIALS'),

  users: ADMINS,
  followUps: ADMINS,
  apiKeys: ADMINS,
  auditEvents: ADMINS,
  setUserDisabled: admins('USER_NOT_FOUND'),
  setUserRole: admins('USER_NOT_FOUND'),
  retryFollowUp: admins('FOLLOW_UP_NOT_FOUND'),
  createApiKey: ADMINS,
  revokeApiKey: admins('API_KEY_NOT_FOUND'),

  createGroup: USERS,
  updateGroup: OWNERS,
  cancelGroup: OWNERS,
  inviteToGroup: OWNERS,
  revokeInvitation: { ...OWNERS, stranger: 'INVITATION_NOT_FOUND' },
  claimInvitation: users('INVITATION_NOT_FOUND'),
  updateMemberStatus: ANSWERERS,
  changeMemberRole: OWNERS,
  removeMember: OWNERS,
  leaveGroup: row('TOKEN_MISSING', 'GROUP_NOT_FOUND', 'ok', 'LAST_OWNER', 'MEMBER_NOT_FOUND', 'SCOPE_REQUIRED'),
  recordCompatibilityScore: row(
    'TOKEN_MISSING',
    'GROUP_NOT_FOUND',
    'ADMIN_REQUIRED',
    'ADMIN_REQUIRED',
    'ok',
    'SCOPE_REQUIRED',
    'SCOPE_REQUIRED',
    'ok',
  ),
};

const SUBSCRIPTIONS: Readonly<Record<string, Outcomes>> = { groupChanged: READERS };

const REST: Readonly<Record<string, Outcomes>> = {
  'POST /api/auth/register': PUBLIC,
  'POST /api/auth/token': PUBLIC,
  'POST /api/auth/revoke': PUBLIC,
  'GET /api/auth/me': USERS,
  'GET /api/groups/:group_id/accepted-count': READERS,
  'GET /api/groups/:group_id/members': READERS,
  'GET /api/groups/:group_id/compatibility_score': READERS,
  'PATCH /api/groups/:group_id/users/:user_id/status': ANSWERERS,
};

const REST_BODIES: Readonly<Record<string, (fixture: OperationFixture) => object>> = {
  'POST /api/auth/register': ({ freeName }) => ({ username: freeName, password: 'seven quiet lanterns' }),
  'POST /api/auth/token': ({ owner }) => ({ username: owner.username, password: 'seven quiet lanterns' }),
  'POST /api/auth/revoke': () => ({ token: 'nonsense' }),
  'PATCH /api/groups/:group_id/users/:user_id/status': () => ({ status: 'accepted' }),
};

/**
 * The fields of a group and a member that an API client with write scopes sees in the result of its own write.
 * `invitations` are null to it.
 */
const SEEN_BY_WRITERS = {
  Group: {
    ok: [
      'id',
      'state',
      'stateChangedAt',
      'revision',
      'requiredCount',
      'memberCount',
      'acceptedCount',
      'responseCounts',
      'compatibilityScore',
      'viewerMembership',
      'invitations',
    ],
    refused: [
      'name',
      'description',
      'quorum',
      'respondBy',
      'createdAt',
      'members',
      'member',
      'scoreHistory',
      'history',
      'whatIf',
    ],
  },
  Member: {
    ok: ['id', 'user', 'role', 'status', 'invitedAt', 'respondedAt', 'revision'],
    refused: ['group', 'invitedBy'],
  },
} as const;

const schema = buildGraphqlSchema();
let service: TestService;
let callers: Readonly<Record<CallerName, TestClient>>;
let owner: TestUser;
let member: TestUser;
let stranger: TestUser;

beforeAll(async () => {
  service = await startTestService({ hasher: FAKE_HASHER });
  [owner, member, stranger] = [await registerUser(service), await registerUser(service), await registerUser(service)];
  // Inviting an address requires the caller's own address.
  await service.database.pool.query(
    `
      update account set email = 'owner@example.org', email_key = 'owner@example.org', email_verified_at = now()
      where id = $1`,
    [owner.id],
  );
  callers = {
    anonymous: new TestClient(service.url),
    stranger,
    member,
    owner,
    admin: await registerAdmin(service),
    'groups:read': await createApiKeyClient(service, ['groups:read']),
    'responses:write': await createApiKeyClient(service, ['responses:write']),
    'scores:write': await createApiKeyClient(service, ['scores:write']),
  };
});
afterAll(() => service.remove());

let fixtureCount = 0;

async function createOperationFixture(): Promise<OperationFixture> {
  fixtureCount += 1;
  const names = { freeName: `newcomer-${fixtureCount}`, newAddress: `guest-${fixtureCount}@example.org` };
  return { groupId: await createGroupViaApi(owner, [member]), owner, member, stranger, ...names };
}

function fieldOf(name: OperationName): GraphQLField<unknown, unknown> {
  const root = OPERATIONS[name].kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  const field = root?.getFields()[name];
  if (field === undefined) throw new Error(`there is no ${name}`);
  return field;
}

/** A caller who logs out as part of a test needs a session to lose. */
async function callerFor(name: CallerName, operation: string): Promise<TestClient> {
  if (operation !== 'revokeToken' || ['anonymous', 'groups:read', 'responses:write', 'scores:write'].includes(name))
    return callers[name];
  return registerUser(service);
}

async function tryOperation(name: OperationName, as: CallerName): Promise<GraphqlResponse> {
  const required = fieldOf(name).args.filter(isRequiredArgument);
  const document = documentOf(
    name,
    Object.fromEntries(required.map((argument) => [argument.name, String(argument.type)])),
  );
  return (await callerFor(as, name)).graphql(document, await variablesFor(name));
}

async function variablesFor(name: OperationName): Promise<Readonly<Record<string, unknown>>> {
  const fixture = await createOperationFixture();
  if (name !== 'revokeInvitation') return OPERATIONS[name].variables(fixture);
  const { inviteToGroup } = await owner.data<{ inviteToGroup: { results: [{ invitation: { id: string } }] } }>(
    'mutation ($input: InviteToGroupInput!) { inviteToGroup(input: $input) { results { invitation { id } } } }',
    { input: { groupId: fixture.groupId, invitees: [{ email: fixture.newAddress }] } },
  );
  return { input: { invitationId: inviteToGroup.results[0].invitation.id } };
}

function outcomeOf({ errors }: GraphqlResponse): unknown {
  return errors === undefined ? 'ok' : errors[0]?.extensions.reason;
}

async function outcomes(tried: (as: CallerName) => Promise<unknown>): Promise<Record<string, unknown>> {
  return Object.fromEntries(await Promise.all(CALLERS.map(async (name) => [name, await tried(name)] as const)));
}

describe('table of rights', () => {
  it('has a row for every field of Query, Mutation and Subscription', () => {
    const fields = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].map((type) =>
      Object.keys(type?.getFields() ?? {}),
    );
    expect([...Object.keys(GRAPHQL), ...Object.keys(SUBSCRIPTIONS)].toSorted()).toEqual(fields.flat().toSorted());
  });

  it('has a row for every path and method of REST', () => {
    expect(Object.keys(REST).toSorted()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  it('has an entry for every field of a group and a member', () => {
    for (const [type, { ok, refused }] of Object.entries(SEEN_BY_WRITERS)) {
      expect([...ok, ...refused].toSorted()).toEqual(Object.keys(objectType(type).getFields()).toSorted());
    }
  });

  it('agrees with the schema about public operations', () => {
    for (const [name, { anonymous }] of Object.entries(GRAPHQL)) {
      const isPublic = fieldOf(name as OperationName).extensions.public === true;
      // Revoking a token needs no other token. Without one in the input, it revokes the caller's own session.
      if (name !== 'revokeToken') expect({ name, isPublic }).toEqual({ name, isPublic: anonymous !== 'TOKEN_MISSING' });
    }
  });
});

describe('authorization over GraphQL', () => {
  it.each(Object.keys(OPERATIONS) as OperationName[])('of %s follows the table for each caller', async (name) => {
    expect(await outcomes(async (as) => outcomeOf(await tryOperation(name, as)))).toEqual(GRAPHQL[name]);
  });

  it.each(Object.keys(SUBSCRIPTIONS))('of %s follows the table for each caller', async (name) => {
    expect(
      await outcomes(async (as) => {
        const feed = await subscribe(service, callers[as].token, (await createOperationFixture()).groupId, {
          afterRevision: 0,
        });
        const outcome = await Promise.race([
          feed.waitForChanges(1).then(
            () => 'ok',
            () => feed.reasons[0],
          ),
          feed.ended.then(() => feed.reasons[0] ?? 'ok'),
        ]);
        feed.disconnect();
        return outcome;
      }),
    ).toEqual(SUBSCRIPTIONS[name]);
  });
});

describe('authorization over REST', () => {
  it.each(Object.keys(REST))('of %s follows the table for each caller', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    expect(
      await outcomes(async (as) => {
        const fixture = await createOperationFixture();
        const url = path.replace(':group_id', fixture.groupId).replace(':user_id', fixture.member.id);
        const json = REST_BODIES[route]?.(fixture);
        const { status, body } = await callers[as].send(method, url, json === undefined ? {} : { json });
        return status < 300 ? 'ok' : (body as { reason: unknown }).reason;
      }),
    ).toEqual(REST[route]);
  });
});

describe('an API client with write scopes only', () => {
  const response = (selection: string): string =>
    `mutation ($input: UpdateMemberStatusInput!) { updateMemberStatus(input: $input) { ${selection} } }`;
  const score = (selection: string): string =>
    `mutation ($input: RecordCompatibilityScoreInput!) { recordCompatibilityScore(input: $input) { ${selection} } }`;

  async function seen(as: CallerName, type: 'Group' | 'Member', name: string): Promise<unknown> {
    const fixture = await createOperationFixture();
    const {
      member: { id: userId },
      groupId,
    } = fixture;
    const asked = `${type.toLowerCase()} { ${selectionOf(objectType(type).getFields()[name], fixture)} }`;
    const [document, input] =
      as === 'scores:write'
        ? [score(asked), { groupId, value: 50, source: 'matcher' }]
        : [response(asked), { groupId, userId, status: 'ACCEPTED' }];
    return outcomeOf(await callers[as].graphql(document, { input }));
  }

  it.each(SEEN_BY_WRITERS.Group.ok)('sees %s of a group that it has changed', async (name) => {
    expect(await seen('responses:write', 'Group', name)).toBe('ok');
    expect(await seen('scores:write', 'Group', name)).toBe('ok');
  });

  it.each(SEEN_BY_WRITERS.Group.refused)('does not see %s of a group that it has changed', async (name) => {
    expect(await seen('responses:write', 'Group', name)).toBe('SCOPE_REQUIRED');
    expect(await seen('scores:write', 'Group', name)).toBe('SCOPE_REQUIRED');
  });

  it.each(SEEN_BY_WRITERS.Member.ok)('sees %s of a member that it has changed', async (name) => {
    expect(await seen('responses:write', 'Member', name)).toBe('ok');
  });

  it.each(SEEN_BY_WRITERS.Member.refused)('does not see %s of a member that it has changed', async (name) => {
    expect(await seen('responses:write', 'Member', name)).toBe('SCOPE_REQUIRED');
  });
});

describe('the user in the result of a login', () => {
  it.each(Object.keys(objectType('Viewer').getFields()))('does not return the %s of the caller', async (name) => {
    const asker = await registerUser(service, `canary-${name}`);
    await createGroupViaApi(asker, [], { name: 'canary' });
    const document = `
      mutation ($input: IssueTokenInput!) {
        issueToken(input: $input) { user { id ${deepSelectionOf(objectType('Viewer'), name)} } }
      }`;
    const { text, errors } = await asker.graphql(
      document,
      OPERATIONS.issueToken.variables(await createOperationFixture()),
    );
    // Operations that take the user's own token may be rejected.
    if (errors !== undefined) expect(errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect(text).not.toContain(asker.id);
    expect(text).not.toContain('canary');
  });
});

function deepSelectionOf(type: GraphQLObjectType, name: string): string {
  const field = type.getFields()[name];
  const named = field === undefined ? undefined : getNamedType(field.type);
  if (!isObjectType(named)) return name;
  const leaves = Object.values(named.getFields()).filter(
    (each) => isLeafType(getNamedType(each.type)) && each.args.length === 0,
  );
  const nodes = named.getFields().nodes === undefined ? '' : ` ${deepSelectionOf(named, 'nodes')}`;
  return `${name} { __typename ${leaves.map((each) => each.name).join(' ')}${nodes} }`;
}

function objectType(name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`there is no type ${name}`);
  return type;
}

/** A field with its arguments, and the simplest selection. */
function selectionOf(field: GraphQLField<unknown, unknown> | undefined, { member: { id } }: OperationFixture): string {
  if (field === undefined) throw new Error('there is no such field');
  const values: Readonly<Record<string, string>> = { userId: `"${id}"`, status: 'ACCEPTED' };
  const required = field.args.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);
  const passed = required.map((argument) => `${argument.name}: ${values[argument.name] ?? 'null'}`).join(', ');
  const selection = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }';
  return `${field.name}${passed === '' ? '' : `(${passed})`}${selection}`;
}
