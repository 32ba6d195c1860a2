import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, GraphQLObjectType } from 'graphql';
import type { ApiKeyScope } from '../../../src/accounts/index.js';
import { leastStatementsOfRequest } from '../../support/database/count-statements.js';
import { TestClient, type GraphqlResponse } from '../../support/http/test-client.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import {
  createApiKeyClient,
  createGroupViaApi,
  registerUser,
  type TestUser,
} from '../../support/service/test-users.js';
import { UNKNOWN_ID } from '../../support/unknown-id.js';

const ENTITIES = `query ($of: [_Any!]!) {
  _entities(representations: $of) { __typename ... on Group { id name } ... on User { id username } }
}`;
const SERVICE = '{ _service { sdl } }';
/** Why a caller may not read the schema, or may not send the document. */
const CLOSED = /^(TOKEN_MISSING|TOKEN_INVALID|SCOPE_REQUIRED|DOCUMENT_NOT_TRUSTED)$/;

/** Runs often enough that the last run is compiled. */
async function send(client: TestClient, of: unknown, headers = {}): Promise<GraphqlResponse> {
  await client.graphql(ENTITIES, { of }, headers);
  await client.graphql(ENTITIES, { of }, headers);
  return client.graphql(ENTITIES, { of }, headers);
}

function group(id: unknown): object {
  return { __typename: 'Group', id };
}

function user(id: unknown): object {
  return { __typename: 'User', id };
}

function codesOf({ errors = [] }: GraphqlResponse): unknown[] {
  return errors.map(({ extensions }) => extensions.reason);
}

describe.each(['yoga', 'apollo'])('the subgraph with %s', (engine) => {
  let service: TestService;
  let ada: TestUser;
  let bob: TestUser;
  let stranger: TestUser;
  let groupId: string;
  let hiddenGroupId: string;

  beforeAll(async () => {
    service = await startTestService({ hasher: FAKE_HASHER, settings: { GRAPHQL_ENGINE: engine, FEDERATION: 'on' } });
    [ada, bob, stranger] = [await registerUser(service), await registerUser(service), await registerUser(service)];
    groupId = await createGroupViaApi(ada, [bob], { name: 'Seen' });
    hiddenGroupId = await createGroupViaApi(stranger);
  });
  afterAll(() => service.remove());

  function key(...scopes: ApiKeyScope[]): Promise<TestClient> {
    return createApiKeyClient(service, scopes);
  }

  it('states its entities, with the descriptions of its schema', async () => {
    const { _service } = await new TestClient(service.url).data<{ _service: { sdl: string } }>(SERVICE);

    expect(_service.sdl).toMatch(/extend type Group\s*@key\(fields: "id"\)/);
    expect(_service.sdl).toMatch(/extend type User\s*@key\(fields: "id"\)/);
    expect(_service.sdl).toContain('"""What it is called; 1 to 120 characters."""');
    expect(_service.sdl).not.toContain('_entities');
    const read = buildSchema(_service.sdl, { assumeValidSDL: true });
    expect(read.getType('Viewer')).toBeInstanceOf(GraphQLObjectType);
  });

  it('returns entities in the order of the references, and null for hidden and missing ones', async () => {
    const references = [
      user(bob.id),
      group(hiddenGroupId),
      group(groupId),
      user(stranger.id),
      group(UNKNOWN_ID),
      user('no uuid'),
      group(bob.id),
      user(ada.id),
    ];

    const { data, errors } = await send(ada, references);

    expect(errors).toBeUndefined();
    expect(data).toEqual({
      _entities: [
        { __typename: 'User', id: bob.id, username: expect.any(String) },
        null,
        { __typename: 'Group', id: groupId, name: 'Seen' },
        null,
        null,
        null,
        null,
        { __typename: 'User', id: ada.id, username: expect.any(String) },
      ],
    });
  });

  it('costs the same statements for one reference of a type and for many', async () => {
    const least = (of: unknown) => leastStatementsOfRequest(() => ada.graphql(ENTITIES, { of }));
    const both = [group(groupId), user(bob.id)];

    expect(await least(Array.from({ length: 50 }, () => both).flat())).toBeLessThanOrEqual(await least(both));
    expect(await least(both)).toBeLessThanOrEqual(2);
  });

  it.each<[string, unknown, readonly string[]]>([
    ['a text', 'canary', ['representations.0']],
    ['a type that is no entity', [{ __typename: 'Viewer', id: 'canary' }], ['representations.0']],
    ['a property of all objects as its type', [{ __typename: 'constructor', id: 'canary' }], ['representations.0']],
    ['no type', [{ id: UNKNOWN_ID }], ['representations.0']],
    ['another key', [group(UNKNOWN_ID), { __typename: 'User', username: 'canary' }], ['representations.1']],
    ['an id that is no text', [group(1), user(null)], ['representations.0', 'representations.1']],
    ['null', [null], ['of.0']],
    ['101 references', Array.from({ length: 101 }, () => group(UNKNOWN_ID)), ['representations']],
  ])('rejects %s', async (_, of, fields) => {
    const response = await send(ada, of);

    expect(codesOf(response)).toEqual(['INVALID_INPUT']);
    expect(response.errors?.[0]?.extensions.fields).toEqual(
      fields.map((field) => ({ field, message: expect.any(String) })),
    );
    expect(response.text).not.toContain('canary');
  });

  it('multiplies the cost by the number of references', async () => {
    const members = `query ($of: [_Any!]!) {
      _entities(representations: $of) { ... on Group { members(first: 1000) { nodes { status } } } }
    }`;
    expect(codesOf(await ada.graphql(members, { of: [group(groupId)] }))).toEqual([]);
    const { errors } = await ada.graphql(members, { of: Array.from({ length: 100 }, () => group(groupId)) });
    expect(errors?.[0]?.extensions).toMatchObject({ limit: { name: 'cost' } });
  });

  it('rejects an anonymous caller, and an API key without the scope', async () => {
    expect(codesOf(await send(new TestClient(service.url), [group(groupId)]))).toEqual(['TOKEN_MISSING']);
    expect(codesOf(await send(await key('groups:read'), [group(groupId)]))).toEqual(['SCOPE_REQUIRED']);
  });

  it('lets an API key read what its other scopes allow', async () => {
    const references = [group(groupId), group(hiddenGroupId), user(ada.id)];

    expect((await send(await key('federation'), references)).data).toEqual({ _entities: [null, null, null] });
    expect((await send(await key('federation', 'groups:read'), references)).data).toEqual({
      _entities: [
        { __typename: 'Group', id: groupId, name: 'Seen' },
        { __typename: 'Group', id: hiddenGroupId, name: 'Supper club' },
        null,
      ],
    });
    const limited = await createApiKeyClient(service, ['federation', 'groups:read'], [groupId]);
    expect((await send(limited, references)).data).toEqual({
      _entities: [{ __typename: 'Group', id: groupId, name: 'Seen' }, null, null],
    });
  });

  describe.each([
    ['introspection off', { INTROSPECTION: 'off' }],
    ['trusted documents only', { INTROSPECTION: 'off', TRUSTED_DOCUMENTS_ONLY: 'on' }],
  ])('and %s', (_, settings) => {
    let closed: TestService;
    let person: TestUser;
    let secret: string;

    beforeAll(async () => {
      closed = await startTestService({
        hasher: FAKE_HASHER,
        settings: { GRAPHQL_ENGINE: engine, FEDERATION: 'on', ...settings },
      });
      person = await registerUser(closed);
      secret = (await createApiKeyClient(closed, ['federation'])).token ?? '';
    });
    afterAll(() => closed.remove());

    it('shows its schema to gateways only', async () => {
      const anonymous = new TestClient(closed.url);
      for (const gateway of [anonymous.with(secret), anonymous, person]) {
        const { data } = await gateway.graphql(SERVICE, {}, { 'convene-gateway-key': secret });
        expect(data).toEqual({ _service: { sdl: expect.stringContaining('@key') } });
      }
      expect((await anonymous.with(secret).graphql(SERVICE)).data).toMatchObject({ _service: {} });

      const reader = await createApiKeyClient(closed, ['groups:read']);
      for (const client of [anonymous, person, reader, person.with('canary')])
        expect(codesOf(await client.graphql(SERVICE))).toEqual([expect.stringMatching(CLOSED)]);
      for (const wrong of ['canary', `${secret}, ${secret}`, person.token, reader.token ?? ''])
        expect(codesOf(await person.graphql(SERVICE, {}, { 'convene-gateway-key': wrong }))).toEqual([
          expect.stringMatching(CLOSED),
        ]);
    });

    it('resolves references for the user whose token a gateway forwards', async () => {
      const { data } = await send(person, [user(person.id)], { 'convene-gateway-key': secret });

      expect(data).toEqual({ _entities: [{ __typename: 'User', id: person.id, username: person.username }] });
    });
  });

  describe('and trusted documents only', () => {
    let closed: TestService;
    let person: TestUser;
    let gateway: Readonly<Record<string, string>>;

    beforeAll(async () => {
      closed = await startTestService({
        hasher: FAKE_HASHER,
        settings: { GRAPHQL_ENGINE: engine, FEDERATION: 'on', TRUSTED_DOCUMENTS_ONLY: 'on' },
      });
      person = await registerUser(closed);
      gateway = { 'convene-gateway-key': (await createApiKeyClient(closed, ['federation'])).token ?? '' };
    });
    afterAll(() => closed.remove());

    it.each([
      '{ me { id } }',
      '{ _service { sdl } me { id } }',
      'query A { _service { sdl } } query B { me { id } }',
      '{ _service { sdl } ...F } fragment F on Query { ... { me { id } } }',
      '{ _service { sdl } __schema { queryType { name } } }',
      'mutation { revokeToken(input: {}) { revokedSessions } }',
      '{ _service { nonsense } }',
      '{',
    ])('lets a gateway read nothing else: %s', async (query) => {
      const operationName = query.startsWith('query A') ? 'A' : null;
      const response = await person.post('/graphql', { query, operationName }, gateway);
      expect(response.status).toBe(403);
      expect(response.text).toContain('"DOCUMENT_NOT_TRUSTED"');
    });

    it('lets no other caller send the text that a gateway has sent', async () => {
      expect(codesOf(await person.graphql(SERVICE, {}, gateway))).toEqual([]);
      expect(codesOf(await person.graphql(SERVICE))).toEqual(['DOCUMENT_NOT_TRUSTED']);
      expect(codesOf(await send(person, [user(person.id)]))).toEqual(['DOCUMENT_NOT_TRUSTED']);
    });
  });
});

describe('the schema without federation', () => {
  it('has neither field', async () => {
    const service = await startTestService({ hasher: FAKE_HASHER });
    try {
      const { errors } = await new TestClient(service.url).graphql(SERVICE);
      expect(errors?.[0]?.message).toBe('Cannot query field "_service" on type "Query".');
    } finally {
      await service.remove();
    }
  });
});
