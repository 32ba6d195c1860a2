import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isRequiredArgument } from 'graphql';
import { API_KEY_SCOPES, createApiKey, type ApiKeyScope } from '../../../src/accounts/index.js';
import { buildGraphqlSchema } from '../../../src/graphql/schema.js';
import { createCapturingLogger } from '../../support/capturing-logger.js';
import { fakeClock } from '../../support/fake-clock.js';
import { expectProblem } from '../../support/http/expect-problem.js';
import { TestClient, type GraphqlResponse, type TestResponse } from '../../support/http/test-client.js';
import { renameGroup, subscribe } from '../../support/http/test-subscription.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createGroupViaApi, registerAdmin, registerUser, type TestUser } from '../../support/service/test-users.js';
import { UNKNOWN_ID } from '../../support/unknown-id.js';
import { waitUntil } from '../../support/wait-until.js';
import { documentOf, OPERATIONS, type OperationName } from '../operations.js';

const CREATE = `
  mutation ($input: CreateApiKeyInput!) {
    createApiKey(input: $input) { secret apiKey { id name prefix scopes groupIds createdAt expiresAt lastUsedAt } }
  }`;
const REVOKE = 'mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { apiKey { id name } } }';
const ANSWER = 'mutation ($input: UpdateMemberStatusInput!) { updateMemberStatus(input: $input) { changed } }';
const SCORE =
  'mutation ($input: RecordCompatibilityScoreInput!) { recordCompatibilityScore(input: $input) { group { id } } }';

const schema = buildGraphqlSchema();
const clock = fakeClock(new Date());
const { log, lines } = createCapturingLogger();
let service: TestService;
let admin: TestUser;
let owner: TestUser;
let member: TestUser;
let groupId: string;
let otherId: string;

beforeAll(async () => {
  service = await startTestService({ hasher: FAKE_HASHER, clock, log });
  [admin, owner, member] = [await registerAdmin(service), await registerUser(service), await registerUser(service)];
  [groupId, otherId] = [await createGroupViaApi(owner, [member]), await createGroupViaApi(owner, [member])];
});
afterAll(() => service.remove());

interface Made {
  readonly createApiKey: {
    readonly secret: string;
    readonly apiKey: { readonly id: string; readonly [field: string]: unknown };
  };
}

interface Key extends TestClient {
  readonly id: string;
  readonly token: string;
}

async function key(
  scopes: readonly ApiKeyScope[],
  {
    groupIds = null,
    expiresAt = null,
    name = 'kiosk',
  }: { groupIds?: readonly string[] | null; expiresAt?: Date | null; name?: string } = {},
): Promise<Key> {
  const {
    secret,
    apiKey: { id },
  } = await createApiKey(service.accounts, { name, scopes, groupIds, expiresAt });
  return Object.assign(new TestClient(service.url).with(secret), { id, token: secret });
}

/** The result of a request on both transports: 'ok', or the reason of the error. */
function outcomeOf(response: TestResponse | GraphqlResponse): unknown {
  if ('errors' in response) return response.errors[0]?.extensions.reason;
  return 'body' in response && response.status >= 400 ? (response.body as { reason: unknown }).reason : 'ok';
}

async function outcomeOfListening({ token }: Key, id: string): Promise<unknown> {
  const feed = await subscribe(service, token, id, { afterRevision: 0 });
  const outcome = await feed.waitForChanges(1).then(
    () => 'ok',
    () => feed.reasons[0],
  );
  feed.disconnect();
  return outcome;
}

/** Every operation that API keys can use, on both transports. */
const CALLS: Readonly<Record<string, readonly [ApiKeyScope, (as: Key, id: string) => Promise<unknown>]>> = {
  'query group': [
    'groups:read',
    async (as, id) =>
      outcomeOf(
        await as.graphql(
          'query ($id: UUID!) { group(id: $id) { name members { totalCount } history { totalCount } } }',
          { id },
        ),
      ),
  ],
  'subscription groupChanged': ['groups:read', outcomeOfListening],
  'GET accepted-count': ['groups:read', async (as, id) => outcomeOf(await as.get(`/api/groups/${id}/accepted-count`))],
  'GET members': ['groups:read', async (as, id) => outcomeOf(await as.get(`/api/groups/${id}/members`))],
  'GET compatibility_score': [
    'groups:read',
    async (as, id) => outcomeOf(await as.get(`/api/groups/${id}/compatibility_score`)),
  ],
  'mutation updateMemberStatus': [
    'responses:write',
    async (as, id) =>
      outcomeOf(await as.graphql(ANSWER, { input: { groupId: id, userId: member.id, status: 'ACCEPTED' } })),
  ],
  'PATCH status': [
    'responses:write',
    async (as, id) => outcomeOf(await as.patch(`/api/groups/${id}/users/${member.id}/status`, { status: 'declined' })),
  ],
  'mutation recordCompatibilityScore': [
    'scores:write',
    async (as, id) => outcomeOf(await as.graphql(SCORE, { input: { groupId: id, value: 50, source: 'matcher' } })),
  ],
};

async function outcomes(as: Key, id: string): Promise<Record<string, unknown>> {
  const tried: Record<string, unknown> = {};
  for (const [name, [, call]] of Object.entries(CALLS)) tried[name] = await call(as, id);
  return tried;
}

/** @param otherwise the result of operations outside the scopes */
function each(
  outcome: string,
  scopes: readonly ApiKeyScope[] = API_KEY_SCOPES,
  otherwise = 'SCOPE_REQUIRED',
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(CALLS).map(([name, [scope]]) => [name, scopes.includes(scope) ? outcome : otherwise]),
  );
}

describe('API key administration', () => {
  it('creates a key, returns its secret once, and lists the key', async () => {
    const input = {
      name: 'kiosk',
      scopes: ['RESPONSES_WRITE', 'GROUPS_READ', 'RESPONSES_WRITE'],
      groupIds: [otherId.toUpperCase(), groupId],
      expiresAt: clock.in(60_000).toISOString(),
    };
    const {
      createApiKey: { secret, apiKey },
    } = await admin.data<Made>(CREATE, { input });
    expect(apiKey).toEqual({
      id: expect.any(String),
      name: 'kiosk',
      prefix: secret.slice(0, 10),
      scopes: ['RESPONSES_WRITE', 'GROUPS_READ'],
      groupIds: [otherId, groupId],
      createdAt: clock.now().toISOString(),
      expiresAt: input.expiresAt,
      lastUsedAt: null,
    });
    const { text, data } = await admin.graphql<{ apiKeys: object[] }>(
      '{ apiKeys { id name prefix scopes groupIds createdAt expiresAt lastUsedAt } }',
    );
    expect(data?.apiKeys).toContainEqual(apiKey);
    expect(text).not.toContain(secret);
  });

  it.each<[object, string[]]>([
    [{ scopes: ['GROUPS_READ'] }, ['name']],
    [{ name: 'kiosk', scopes: ['EVERYTHING'] }, ['scopes.0']],
    [{ name: 'kiosk', scopes: ['GROUPS_READ'], groupIds: ['x'] }, ['groupIds.0']],
    [{ name: 'kiosk', scopes: ['GROUPS_READ'], expiresAt: 'soon' }, ['expiresAt']],
    [
      { name: 'kiosk\u200b', scopes: [], groupIds: [], expiresAt: '2020-01-01T00:00:00Z' },
      ['name', 'scopes', 'groupIds', 'expiresAt'],
    ],
    [{ name: 'kiosk', scopes: ['GROUPS_READ'], groupIds: [UNKNOWN_ID] }, ['groupIds.0']],
  ])('rejects %j with the faulty fields', async (input, fields) => {
    const { errors, data } = await admin.graphql(CREATE, { input });
    expect(data ?? null).toBeNull();
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT', fields: fields.map((field) => ({ field })) } },
    ]);
  });

  it('returns the same key and secret for the same request', async () => {
    const variables = { input: { name: 'matcher', scopes: ['GROUPS_READ'] } };
    const made = await admin.graphql<Made>(CREATE, variables, { 'idempotency-key': 'k-1' });
    expect((await admin.graphql(CREATE, variables, { 'idempotency-key': 'k-1' })).data).toEqual(made.data);
    const secret = made.data?.createApiKey.secret ?? '';
    expect(secret).toMatch(/^cvn_/);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  it('shows when a key was last used', async () => {
    const kiosk = await key(['groups:read']);
    const used = async () =>
      (
        await admin.data<{ apiKeys: { id: string; lastUsedAt: string | null }[] }>('{ apiKeys { id lastUsedAt } }')
      ).apiKeys.find(({ id }) => id === kiosk.id)?.lastUsedAt;
    expect(await used()).toBeNull();
    await Promise.all([kiosk.get('/api/auth/me'), kiosk.graphql('{ me { id } }')]);
    await service.accounts.apiKeyUsage.flush();
    expect(await used()).toBe(clock.now().toISOString());
  });
});

describe('an API client', () => {
  it.each(API_KEY_SCOPES)('with %s can do what the scope allows, and nothing else', async (scope) => {
    expect(await outcomes(await key([scope]), groupId)).toEqual(each('ok', [scope]));
  });

  it('with several scopes can do what each scope allows', async () => {
    const scopes = ['groups:read', 'scores:write'] as const;
    expect(await outcomes(await key(scopes), groupId)).toEqual(each('ok', scopes));
    expect(await outcomes(await key(API_KEY_SCOPES), groupId)).toEqual(each('ok'));
  });

  it('with a key limited to groups sees no other groups', async () => {
    const limited = await key(API_KEY_SCOPES, { groupIds: [groupId] });
    expect(await outcomes(limited, groupId)).toEqual(each('ok'));
    expect(await outcomes(limited, otherId)).toEqual(each('GROUP_NOT_FOUND'));
    expect(await outcomes(await key(['groups:read'], { groupIds: [groupId] }), otherId)).toEqual(
      each('GROUP_NOT_FOUND', API_KEY_SCOPES),
    );
  });

  it('can do nothing that requires a user, whatever its scopes', async () => {
    const kiosk = await key(API_KEY_SCOPES);
    const fixture = { groupId, owner, member, stranger: admin, freeName: 'newcomer', newAddress: 'guest@example.org' };
    const fieldOf = (name: OperationName) =>
      (OPERATIONS[name].kind === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields()[name];
    // An unknown invitation is reported in the same way to every caller.
    const forPrograms = [
      'group',
      'node',
      'nodes',
      'updateMemberStatus',
      'recordCompatibilityScore',
      'revokeInvitation',
    ];
    const forPeople = (Object.keys(OPERATIONS) as OperationName[]).filter(
      (name) => fieldOf(name)?.extensions.public !== true && !forPrograms.includes(name),
    );
    expect(forPeople.length).toBeGreaterThan(20);
    for (const name of forPeople) {
      const required = (fieldOf(name)?.args ?? []).filter(isRequiredArgument);
      const types = Object.fromEntries(required.map((argument) => [argument.name, String(argument.type)]));
      const response = await kiosk.graphql(documentOf(name, types), OPERATIONS[name].variables(fixture));
      expect([name, outcomeOf(response)]).toEqual([name, 'SCOPE_REQUIRED']);
    }
    expect(outcomeOf(await kiosk.get('/api/auth/me'))).toBe('SCOPE_REQUIRED');
  });

  it('with write scopes only sees its own write, and no more, on both transports', async () => {
    const writer = await key(['responses:write'], { groupIds: [groupId] });
    const { status, body } = await writer.patch(`/api/groups/${groupId}/users/${member.id}/status`, {
      status: 'accepted',
    });
    expect([status, body]).toEqual([
      200,
      {
        group_id: groupId,
        user_id: member.id,
        status: 'accepted',
        responded_at: expect.any(String),
        group_state: expect.any(String),
        accepted_count: 2,
        changed: expect.any(Boolean),
      },
    ]);
    const selection =
      'previousState member { status respondedAt revision user { id } } ' +
      'group { id state acceptedCount memberCount responseCounts { accepted } compatibilityScore { value } }';
    const input = { groupId, userId: member.id, status: 'ACCEPTED' };
    expect(outcomeOf(await writer.graphql(ANSWER.replace('changed', selection), { input }))).toBe('ok');
    for (const hidden of [
      'name',
      'description',
      'members { totalCount }',
      'history { totalCount }',
      `member(userId: "${owner.id}") { status }`,
      'scoreHistory { totalCount }',
    ]) {
      expect([
        hidden,
        outcomeOf(await writer.graphql(ANSWER.replace('changed', `group { ${hidden} }`), { input })),
      ]).toEqual([hidden, 'SCOPE_REQUIRED']);
    }
  });

  it('appears in the history by the name of its key, also when the key no longer exists', async () => {
    const kiosk = await key(['responses:write'], { name: 'front desk' });
    await kiosk.graphql(ANSWER, { input: { groupId, userId: member.id, status: 'TENTATIVE' } });
    await admin.data(REVOKE, { input: { apiKeyId: kiosk.id } });
    const { group } = await owner.data<{ group: { history: { nodes: object[] } } }>(
      'query ($id: UUID!) { group(id: $id) { history(first: 1000) { nodes { apiKey actor { id } status } } } }',
      { id: groupId },
    );
    expect(group.history.nodes.at(-1)).toEqual({ apiKey: 'front desk', actor: null, status: 'TENTATIVE' });
  });
});

describe('a revoked or expired API key', () => {
  /** Every transport, a public operation included, and a stream that was open before. */
  async function expectRevoked(
    kiosk: Key,
    reason: 'TOKEN_EXPIRED' | 'TOKEN_INVALID',
    end: () => Promise<unknown>,
  ): Promise<void> {
    const feed = await subscribe(service, kiosk.token, groupId);
    await waitUntil('a subscriber', () => service.groups.changeFeed.subscriberCount > 0);
    await end();
    await renameGroup(owner, groupId, `After ${reason}`);
    expect([await feed.ended, feed.changes, feed.reasons]).toEqual(['complete', [], [reason]]);
    expect(await outcomes(kiosk, groupId)).toEqual(each(reason));
    const instance = `/api/groups/${groupId}/members`;
    const response = await kiosk.get(instance);
    expectProblem(response, { status: 401, code: 'UNAUTHENTICATED', reason, instance });
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  }

  it('is rejected on every transport and its streams end when it expires', async () => {
    const kiosk = await key(API_KEY_SCOPES, { expiresAt: clock.in(60_000) });
    expect(await outcomes(kiosk, groupId)).toEqual(each('ok'));
    await expectRevoked(kiosk, 'TOKEN_EXPIRED', () => {
      clock.advance(60_000);
      return Promise.resolve();
    });
  });

  it('is rejected on every transport and its streams end when an administrator revokes it', async () => {
    const kiosk = await key(API_KEY_SCOPES, { groupIds: [groupId] });
    expect(await outcomes(kiosk, groupId)).toEqual(each('ok'));
    await expectRevoked(kiosk, 'TOKEN_INVALID', () =>
      admin.data(REVOKE, { input: { apiKeyId: kiosk.id.toUpperCase() } }),
    );
    const { errors } = await admin.graphql(REVOKE, { input: { apiKeyId: kiosk.id } });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', reason: 'API_KEY_NOT_FOUND' } }]);
  });
});
