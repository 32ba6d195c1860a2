import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GraphqlResponse } from '../support/http/test-client.js';
import { FAKE_HASHER } from '../support/service/test-core.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import {
  createGroupViaApi,
  PASSWORD,
  registerAdmin,
  registerUser,
  type TestUser,
} from '../support/service/test-users.js';

let service: TestService;
let owner: TestUser;
let admin: TestUser;
let groupId: string;

beforeAll(async () => {
  service = await startTestService({ hasher: FAKE_HASHER });
  [owner, admin] = [await registerUser(service), await registerAdmin(service)];
  groupId = await createGroupViaApi(owner);
});
afterAll(() => service.remove());

const CREATE_GROUP =
  'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { respondBy quorum name description } } }';
const UPDATE_GROUP =
  'mutation ($input: UpdateGroupInput!) { updateGroup(input: $input) { group { respondBy quorum name description } } }';
const CREATE_KEY =
  'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey { expiresAt name } } }';
const SCORE = `
  mutation ($input: RecordCompatibilityScoreInput!) {
    recordCompatibilityScore(input: $input) { group { compatibilityScore { value source } } }
  }`;
const REGISTER =
  'mutation ($input: RegisterInput!) { register(input: $input) { user { username displayName email } } }';
const PROFILE =
  'mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { user { displayName email } } }';

/** Each operation that stores a time, with the part of the result that shows it. */
const TIMES: Readonly<Record<string, (time: string) => Promise<GraphqlResponse>>> = {
  'createGroup respondBy': (respondBy) => owner.graphql(CREATE_GROUP, { input: { name: 'Choir', respondBy } }),
  'updateGroup respondBy': (respondBy) => owner.graphql(UPDATE_GROUP, { input: { groupId, respondBy } }),
  'createApiKey expiresAt': (expiresAt) =>
    admin.graphql(CREATE_KEY, { input: { name: 'matchmaker', scopes: ['GROUPS_READ'], expiresAt } }),
};

/** The stored value; null for a rejected time. */
const STORED: readonly (readonly [string, string | null])[] = [
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['9999-12-31T23:59:59.9999999Z', '9999-12-31T23:59:59.999Z'],
  ['9999-12-31T23:59:59+14:00', '9999-12-31T09:59:59.000Z'],
  ['9999-12-31T23:59:59-14:00', null],
  ['9999-12-31T23:59:59-00:01', null],
  ['9999-12-31T00:00:00-23:59', '9999-12-31T23:59:00.000Z'],
  ['9999-12-31T00:01:00-23:59', null],
  ['2099-06-30T23:59:60Z', null],
  ['2099-06-30T24:00:00Z', null],
  ['2099-02-29T00:00:00Z', null],
  ['2096-02-29T00:00:00.0009Z', '2096-02-29T00:00:00.000Z'],
  ['2099-01-01t00:00:00z', '2099-01-01T00:00:00.000Z'],
  ['2099-01-01T00:00:00+23:59', '2098-12-31T00:01:00.000Z'],
  ['0000-01-01T00:00:00Z', null],
  ['0000-01-01T00:00:00+23:59', null],
  ['0001-01-01T00:00:00+14:00', null],
  ['10000-01-01T00:00:00Z', null],
  ['+010000-01-01T00:00:00Z', null],
  ['-000001-01-01T00:00:00Z', null],
];

function shown({ data }: GraphqlResponse): unknown {
  return JSON.stringify(data);
}

function expectInvalidInput({ status, errors }: GraphqlResponse, field: string): void {
  expect([status, errors?.map(({ extensions }) => extensions)]).toEqual([
    expect.any(Number),
    [
      expect.objectContaining({
        reason: 'INVALID_INPUT',
        fields: [{ field, message: expect.stringMatching(/^must /) }],
      }),
    ],
  ]);
}

describe('a time', () => {
  it.each(
    Object.keys(TIMES).flatMap((operation) => STORED.map(([time, stored]) => [operation, time, stored] as const)),
  )('%s %s is stored as %s', async (operation, time, stored) => {
    const response = await TIMES[operation]?.(time);
    if (response === undefined) throw new Error(`there is no operation ${operation}`);
    if (stored === null) expectInvalidInput(response, operation.split(' ')[1] ?? '');
    else expect(shown(response)).toContain(`"${stored}"`);
  });

  it('is rejected in a literal as in a variable', async () => {
    const response = await owner.graphql(
      'mutation { createGroup(input: {name: "Choir", respondBy: "9999-12-31T23:59:59-14:00"}) { group { id } } }',
    );
    expectInvalidInput(response, 'respondBy');
  });
});

/** A cursor's format allows at most 15 digits of unsigned milliseconds. */
const MOMENTS = ['0', '253402300799999', '253402300800000', '999999999999999'];

function cursorOf(...parts: readonly string[]): string {
  return Buffer.from(parts.join('|')).toString('base64url');
}

/** Any list may follow. Only an error about the cursor itself is another result. */
function answersWithoutFault({ status, errors }: GraphqlResponse): void {
  const others = errors?.filter(({ extensions }) => extensions.reason !== 'INVALID_INPUT') ?? [];
  expect([status, others]).toEqual([200, []]);
}

describe('a forged cursor', () => {
  it.each(MOMENTS)('of the moment %s causes no unexpected error, over GraphQL and REST', async (moment) => {
    const after = cursorOf(moment, groupId);
    const query = `query ($id: UUID!, $after: String) {
      group(id: $id) { members(first: 1, after: $after) { totalCount nodes { role } }
        invitations(first: 1, after: $after) { totalCount nodes { id } } }
      me { memberships(first: 1, after: $after) { nodes { role } }
        invitations(first: 1, after: $after) { nodes { id } } sessions { id } }
    }`;
    answersWithoutFault(await owner.graphql(query, { id: groupId, after }));
    expect((await owner.get(`/api/groups/${groupId}/members?limit=1&cursor=${after}`)).status).toBe(200);
    const lists = `
      {
        users(first: 1, after: $after) { totalCount }
        auditEvents(first: 1, after: $after) { totalCount }
        followUps(first: 1, after: $after) { totalCount }
      }`;
    answersWithoutFault(
      await admin.graphql(`query ($after: String) ${lists.replaceAll('totalCount', 'nodes { __typename }')}`, {
        after,
      }),
    );
  });

  it.each(['0', '999999999', '9999999999', '2147483648'])(
    'of the number %s causes no unexpected error',
    async (number) => {
      const query = `query ($id: UUID!, $after: String) {
      group(id: $id) { history(first: 1, after: $after) { nodes { revision } }
        compatibilityScoreHistory(first: 1, after: $after) { nodes { value } } }
    }`;
      answersWithoutFault(await owner.graphql(query, { id: groupId, after: cursorOf(number) }));
    },
  );
});

describe('a number', () => {
  it.each([
    [1, 1],
    [1_000_000, 1_000_000],
    [1.0, 1],
    [0, null],
    [-0, null],
    [1_000_001, null],
    [2_147_483_647, null],
    [-2_147_483_648, null],
  ] as const)('the quorum %s is stored as %s', async (quorum, stored) => {
    const response = await owner.graphql(UPDATE_GROUP, { input: { groupId, quorum } });
    if (stored === null) expectInvalidInput(response, 'quorum');
    else expect(shown(response)).toContain(`"quorum":${stored}`);
  });

  it.each([[2_147_483_648], [1.5], [1e300], ['1']])('the quorum %s is rejected', async (quorum) => {
    expectInvalidInput(await owner.graphql(UPDATE_GROUP, { input: { groupId, quorum } }), 'quorum');
  });

  it.each([
    [0, 0],
    [-0, 0],
    [100, 100],
    [5e-324, 5e-324],
    [2.2250738585072014e-308, 2.2250738585072014e-308],
    [99.99999999999999, 99.99999999999999],
  ])('the score %s is stored as %s', async (value, stored) => {
    const response = await admin.graphql(SCORE, { input: { groupId, value, source: 'matchmaker' } });
    expect(response.data).toMatchObject({
      recordCompatibilityScore: { group: { compatibilityScore: { value: stored } } },
    });
  });

  it.each([[100.00000000000001], [-5e-324], [1.7976931348623157e308], ['50']])(
    'the score %s is rejected',
    async (value) => {
      expectInvalidInput(await admin.graphql(SCORE, { input: { groupId, value, source: 'matchmaker' } }), 'value');
    },
  );

  it.each(['-1', '0', '1001', '999999999', '9999999999', '1e3', '٣'])('a REST limit %s fails', async (limit) => {
    const { status, body } = await owner.get(`/api/groups/${groupId}/members?limit=${encodeURIComponent(limit)}`);
    expect([status, body]).toEqual([
      422,
      expect.objectContaining({ errors: [expect.objectContaining({ field: 'limit' })] }),
    ]);
  });
});

/** One character as typed, two when composed: U+0958 is excluded from composition (UAX 15). */
const GROWS = '\u0958';
/** Two characters as typed, one when composed. */
const SHRINKS = 'e\u0301';

let names = 0;

describe('a text', () => {
  const TEXTS: readonly (readonly [string, number, (text: string) => Promise<GraphqlResponse>])[] = [
    ['name', 120, (name) => owner.graphql(CREATE_GROUP, { input: { name } })],
    ['name', 120, (name) => owner.graphql(UPDATE_GROUP, { input: { groupId, name } })],
    ['description', 2_000, (description) => owner.graphql(CREATE_GROUP, { input: { name: 'Choir', description } })],
    ['source', 80, (source) => admin.graphql(SCORE, { input: { groupId, value: 1, source } })],
    ['name', 80, (name) => admin.graphql(CREATE_KEY, { input: { name, scopes: ['GROUPS_READ'] } })],
  ];

  it.each(TEXTS)('%s of at most %i characters is measured as stored', async (field, most, store) => {
    expect((await store(SHRINKS.repeat(most))).errors).toBeUndefined();
    expectInvalidInput(await store(SHRINKS.repeat(most + 1)), field);
    expect((await store(GROWS.repeat(most / 2))).errors).toBeUndefined();
    expectInvalidInput(await store(GROWS.repeat(most / 2 + 1)), field);
  });

  it.each([
    ['username', (username: string) => ({ username }), 32],
    ['displayName', (displayName: string) => ({ username: `bounds-${(names += 1)}`, displayName }), 80],
  ] as const)('%s is measured as stored, over GraphQL and REST', async (field, inputOf, most) => {
    const input = (text: string) => ({ password: PASSWORD, ...inputOf(text) });
    const onRest = (text: string) => {
      const { displayName, ...fields } = input(text) as { displayName?: string; username: string; password: string };
      return owner.post('/api/auth/register', {
        ...fields,
        ...(displayName !== undefined && { display_name: displayName }),
      });
    };
    expect((await owner.graphql(REGISTER, { input: input(SHRINKS.repeat(most)) })).errors).toBeUndefined();
    expectInvalidInput(await owner.graphql(REGISTER, { input: input(SHRINKS.repeat(most + 1)) }), field);
    expect((await onRest('a\u030a'.repeat(most))).status).toBe(201);
    expect((await onRest('a\u030a'.repeat(most + 1))).status).toBe(422);
  });

  it('the display name of a profile is measured as stored', async () => {
    expect((await owner.graphql(PROFILE, { input: { displayName: SHRINKS.repeat(80) } })).errors).toBeUndefined();
    expectInvalidInput(await owner.graphql(PROFILE, { input: { displayName: SHRINKS.repeat(81) } }), 'displayName');
  });
});
