import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  getNamedType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';
import { buildGraphqlSchema } from '../../../../src/graphql/schema.js';
import { ROUTES } from '../../../../src/rest/index.js';
import { createCapturingLogger, ERROR } from '../../../support/capturing-logger.js';
import type { TestResponse } from '../../../support/http/test-client.js';
import { FAKE_HASHER } from '../../../support/service/test-core.js';
import { startTestService, type TestService } from '../../../support/service/test-service.js';
import {
  createGroupViaApi,
  PASSWORD,
  registerAdmin,
  registerUser,
  type TestUser,
} from '../../../support/service/test-users.js';
import { OPERATIONS, type Operation, type OperationFixture } from '../../operations.js';

/** Text that PostgreSQL cannot store, that has no form in UTF-8, or that is no character. */
const TEXTS = ['a\u0000b', '\u0000', '\ud800', 'a\udc00b', '\ufffe', 'a\u{1ffff}b'] as const;

/** Fields where an unknown text is no error: a token to revoke, a name to invite or to search for, the id of a node. */
const MAY_BE_UNKNOWN = [
  'Mutation.revokeToken(input.refreshToken)',
  'Mutation.inviteToGroup(input.invitees.0.username)',
  'Query.users(search)',
  'Query.node(id)',
  'Query.nodes(ids.0)',
];

const schema = buildGraphqlSchema();
const { log, lines } = createCapturingLogger();
let service: TestService;
/** A caller with every right, so that only the input can be the reason of an error. */
let admin: TestUser;
let fixture: OperationFixture;

beforeAll(async () => {
  service = await startTestService({ hasher: FAKE_HASHER, log });
  admin = await registerAdmin(service);
  const member = await registerUser(service);
  fixture = {
    groupId: await createGroupViaApi(admin, [member]),
    owner: admin,
    member,
    stranger: await registerUser(service),
    freeName: 'free-name',
    newAddress: 'free@example.org',
  };
});
afterAll(() => service.remove());

type Path = readonly (string | number)[];
type Variables = Readonly<Record<string, unknown>>;

/** A field that takes a text somewhere in its arguments. */
interface Place {
  readonly type: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly path: Path;
}

/** Every place in a value of that type where JSON may have a text. */
function pathsIn(type: GraphQLInputType, path: Path): Path[] {
  if (isNonNullType(type)) return pathsIn(type.ofType, path);
  if (isListType(type)) return pathsIn(type.ofType, [...path, 0]);
  if (isInputObjectType(type))
    return Object.values(type.getFields()).flatMap((field) => pathsIn(field.type, [...path, field.name]));
  return ['Int', 'Float', 'Boolean'].includes(type.name) ? [] : [path];
}

const PLACES = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
  .flatMap((type) =>
    Object.values(isObjectType(type) ? type.getFields() : {}).flatMap((field) =>
      field.args.flatMap((argument) =>
        pathsIn(argument.type, [argument.name]).map((path): Place => ({ type: type.name, field, path })),
      ),
    ),
  );

/** The path to the fields of each type. A test fails when a type is missing here. */
const WAYS: Readonly<Record<string, (field: string) => string>> = {
  Query: (field) => field,
  Mutation: (field) => field,
  Subscription: (field) => field,
  Group: (field) => `group(id: "${fixture.groupId}") { ${field} }`,
  Viewer: (field) => `me { ${field} }`,
};

/** The arguments of a field, without the text. */
function variablesFor({ type, field }: Place): Variables {
  const operations: Readonly<Record<string, Operation>> = OPERATIONS;
  // The password is verified only when an address is given.
  if (field.name === 'updateProfile') return { input: { email: fixture.newAddress } };
  if (type === 'Query' || type === 'Mutation') return operations[field.name]?.variables(fixture) ?? {};
  return { groupId: fixture.groupId, userId: fixture.member.id, status: 'ACCEPTED' };
}

/** Every argument is a variable of the same name. */
function documentFor({ type, field }: Place): string {
  const passed = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }';
  const kind = type === 'Mutation' || type === 'Subscription' ? type.toLowerCase() : 'query';
  const declared = field.args.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(', ');
  return `${kind} (${declared}) { ${WAYS[type]?.(`${field.name}(${passed})${selection}`) ?? ''} }`;
}

/**
 * The same value with a text in that place. An entry of a list keeps only this member, because it names its user in one
 * way.
 */
function withText(value: unknown, [step, ...rest]: Path, text: string): unknown {
  if (step === undefined) return text;
  if (typeof step === 'number') return [withText({}, rest, text)];
  const fields: Variables = typeof value === 'object' && value !== null ? { ...value } : {};
  return { ...fields, [step]: withText(fields[step], rest, text) };
}

function nameOf({ type, field, path }: Place): string {
  return `${type}.${field.name}(${path.join('.')})`;
}

/** The errors of a response, as JSON or as an event. */
function codesIn(response: string): string[] {
  return [...response.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code ?? '');
}

function expectClean(response: Pick<TestResponse, 'text'>): void {
  expect(codesIn(response.text).filter((code) => /INTERNAL|UNAVAILABLE/.test(code))).toEqual([]);
  expect(response.text).not.toMatch(/invalid byte|surrogate pair|postgres|select /i);
}

describe('text that cannot be stored, over GraphQL', () => {
  it('is tested in every place of the schema', () => {
    expect(Object.keys(WAYS).toSorted()).toEqual([...new Set(PLACES.map(({ type }) => type))].toSorted());
    expect(PLACES.length).toBeGreaterThan(70);
  });

  it.each(PLACES.map((place) => [nameOf(place), place] as const))('is rejected in %s', async (name, place) => {
    const accept = place.type === 'Subscription' ? 'text/event-stream' : 'application/json';
    for (const text of TEXTS) {
      const variables = withText(variablesFor(place), place.path, text);
      const response = await admin.post('/graphql', { query: documentFor(place), variables }, { accept });
      expect([text, response.status]).toEqual([text, 200]);
      expectClean(response);
      if (!MAY_BE_UNKNOWN.includes(name)) expect([text, codesIn(response.text).length]).toEqual([text, 1]);
    }
  });
});

/** The members that each path reads, with one valid value for each. */
const BODIES: Readonly<Record<string, Variables>> = {
  '/api/auth/register': {
    username: 'free-name',
    password: PASSWORD,
    email: 'free@example.org',
    display_name: 'Free',
    invitation: null,
  },
  '/api/auth/token': { username: 'nobody', password: PASSWORD, grant_type: 'password', refresh_token: 'nonsense' },
  '/api/auth/revoke': { token: 'nonsense' },
  '/api/groups/:group_id/users/:user_id/status': { status: 'accepted' },
};
/** Revoking an unknown token is no error. A login reads no refresh token. */
const LETS_PASS = ['/api/auth/revoke token', '/api/auth/token refresh_token'];

const MEMBERS = ROUTES.filter(({ body }) => body !== 'none').flatMap((row) =>
  Object.keys(BODIES[row.path] ?? {}).map((member) => [row.path, member, row] as const),
);
const PARAMETERS = ROUTES.flatMap((row) =>
  [...row.path.matchAll(/:(\w+)/g)].map(([, name]) => [row.path, name ?? '', row] as const),
);
const QUERIES = ROUTES.flatMap((row) =>
  [...Object.keys(row.query), 'other'].map((name) => [row.path, name, row] as const),
);

/** NUL, half a character that UTF-8 never has, no character, and bytes in no encoding. */
const ENCODED = ['%00', 'a%00b', '%ED%A0%80', '%EF%BF%BE', '%FF', '%', '%zz', '%u0000'];

function filled(path: string): string {
  return path.replace(':group_id', fixture.groupId).replace(':user_id', fixture.member.id);
}

function expectRejected(sent: string, response: TestResponse): void {
  expect([sent, response.status >= 400 && response.status < 500, response.status]).toEqual([
    sent,
    true,
    response.status,
  ]);
  expect(response.headers.get('content-type')).toMatch(/json/);
  expectClean(response);
}

describe('text that cannot be stored, over REST', () => {
  it('is tested in every body', () => {
    expect(Object.keys(BODIES).toSorted()).toEqual(
      ROUTES.filter(({ body }) => body !== 'none')
        .map(({ path }) => path)
        .toSorted(),
    );
  });

  it.each(MEMBERS)('is rejected in the body of %s: %s', async (path, member, { method }) => {
    for (const text of TEXTS) {
      const response = await admin.send(method, filled(path), { json: { ...BODIES[path], [member]: text } });
      if (LETS_PASS.includes(`${path} ${member}`)) expectClean(response);
      else expectRejected(text, response);
    }
  });

  it.each(PARAMETERS)('is rejected in the path %s: %s', async (path, name, { method, body }) => {
    for (const text of ENCODED) {
      expectRejected(
        text,
        await admin.send(method, filled(path.replace(`:${name}`, text)), body === 'none' ? {} : { json: BODIES[path] }),
      );
    }
  });

  it.each(QUERIES)('is rejected in the query of %s: %s', async (path, name, { method, body }) => {
    for (const text of ENCODED) {
      const json = body === 'none' ? {} : { json: BODIES[path] };
      for (const query of [`${name}=${text}`, `${text}=${name}`])
        expectRejected(query, await admin.send(method, `${filled(path)}?${query}`, json));
    }
  });

  it.each([
    '/',
    '/api/',
    '/api/auth/',
    '/graphql/',
    '/graphql?query=',
    '/graphql?query={__typename}&operationName=',
    '/.well-known/',
    '/problems/',
  ])('returns no resource at %s', async (path) => {
    for (const text of ENCODED)
      expectRejected(
        text,
        await admin.get(`${path}${text}`, { accept: 'application/graphql-response+json, application/json;q=0.5' }),
      );
  });

  it('causes no unexpected error, and nothing of it is stored', async () => {
    expect(lines.filter(({ level }) => level >= ERROR)).toEqual([]);
    const { rows } = await service.database.pool.query(
      `
        select (select count(*) from account) as accounts, (select count(*) from groups) as groups,
          (select count(*) from api_key) as keys`,
    );
    expect(rows).toEqual([{ accounts: '3', groups: '1', keys: '0' }]);
  });
});
