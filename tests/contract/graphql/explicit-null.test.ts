import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  getNamedType,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLObjectType,
} from 'graphql';
import { buildGraphqlSchema } from '../../../src/graphql/schema.js';
import type { GraphqlResponse, TestClient } from '../../support/http/test-client.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createGroupViaApi, registerAdmin, registerUser, type TestUser } from '../../support/service/test-users.js';
import { documentOf, OPERATIONS, type OperationFixture, type OperationName } from '../operations.js';

/** Operations that owners may not run. */
const NOT_OWNERS: Readonly<Record<string, 'member' | 'admin'>> = {
  leaveGroup: 'member',
  updateMemberStatus: 'member',
  recordCompatibilityScore: 'admin',
};

const schema = buildGraphqlSchema();
let service: TestService;
let users: {
  readonly owner: TestUser;
  readonly member: TestUser;
  readonly stranger: TestUser;
  readonly admin: TestUser;
};
let fixtureCount = 0;

beforeAll(async () => {
  service = await startTestService({ hasher: FAKE_HASHER });
  users = {
    owner: await registerUser(service),
    member: await registerUser(service),
    stranger: await registerUser(service),
    admin: await registerAdmin(service),
  };
});
afterAll(() => service.remove());

async function newScene(): Promise<OperationFixture> {
  fixtureCount += 1;
  const names = { freeName: `newcomer-${fixtureCount}`, newAddress: `guest-${fixtureCount}@example.org` };
  return { ...users, groupId: await createGroupViaApi(users.owner, [users.member]), ...names };
}

/** Every optional field of the inputs of operations, as `operation.field`. */
const OPTIONAL_FIELDS = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
  Object.values(root?.getFields() ?? {}).flatMap(({ name, args }) =>
    args.flatMap(({ type }) => {
      const input = getNamedType(type);
      return isInputObjectType(input)
        ? Object.values(input.getFields())
            .filter(isOptional)
            .map((field) => [name as OperationName, field.name] as const)
        : [];
    }),
  ),
);

/** Every optional argument of the fields that owners and members read, as `type.field(argument)`. */
const OPTIONAL_ARGUMENTS = ['Group', 'Viewer'].flatMap((type) =>
  Object.values(objectType(type).getFields()).flatMap((field) =>
    field.args.filter(isOptional).map((argument) => [type, field.name, argument.name] as const),
  ),
);

function isOptional({ type }: GraphQLInputField | GraphQLArgument): boolean {
  return !isNonNullType(type);
}

function objectType(name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`there is no type ${name}`);
  return type;
}

function reasonsOf({ errors }: GraphqlResponse): unknown[] {
  return errors?.map(({ extensions: { reason } }) => reason) ?? [];
}

async function runWith(name: OperationName, more: Readonly<Record<string, unknown>>): Promise<GraphqlResponse> {
  // A caller who has logged out cannot be used again.
  const caller: TestClient = name === 'revokeToken' ? await registerUser(service) : users[NOT_OWNERS[name] ?? 'owner'];
  const { input } = OPERATIONS[name].variables(await newScene()) as { input: object };
  const { args } = schema.getMutationType()?.getFields()[name] ?? { args: [] };
  return caller.graphql(
    documentOf(name, Object.fromEntries(args.map((argument) => [argument.name, String(argument.type)]))),
    { input: { ...input, ...more } },
  );
}

/** An export contains the time of its creation. */
function withoutTimeOfExport(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data, (key, value: unknown) => (key === 'exportedAt' ? undefined : value)));
}

describe('null for an optional input', () => {
  it.each(OPTIONAL_FIELDS)('acts in %s like omitting %s, or is rejected with its name', async (name, field) => {
    const [absent, explicit] = [await runWith(name, {}), await runWith(name, { [field]: null })];
    const isRefused = JSON.stringify(explicit.errors?.[0]?.extensions.fields ?? []).includes(`"${field}"`);
    if (!isRefused) expect(reasonsOf(explicit)).toEqual(reasonsOf(absent));
    expect(reasonsOf(explicit)).not.toContain('INTERNAL');
  });

  it.each(OPTIONAL_ARGUMENTS)('has in %s.%s the same effect as omitting %s', async (type, name, argument) => {
    const { groupId, member } = await newScene();
    const field = objectType(type).getFields()[name];
    const required =
      field?.args.filter(({ type: needed, defaultValue }) => isNonNullType(needed) && defaultValue === undefined) ?? [];
    const values: Readonly<Record<string, string>> = { userId: `"${member.id}"`, status: 'ACCEPTED' };
    const given = required.map((each) => `${each.name}: ${values[each.name] ?? 'null'}`);
    const selection = field !== undefined && isLeafType(getNamedType(field.type)) ? '' : '{ totalCount }';
    const document = (...args: string[]): string => {
      const asked = `${name}${args.length === 0 ? '' : `(${args.join(', ')})`} ${selection}`;
      return type === 'Viewer' ? `{ me { ${asked} } }` : `{ group(id: "${groupId}") { ${asked} } }`;
    };
    const [absent, explicit] = [
      await users.owner.graphql(document(...given)),
      await users.owner.graphql(document(...given, `${argument}: null`)),
    ];
    expect(withoutTimeOfExport(explicit.data)).toEqual(withoutTimeOfExport(absent.data));
    expect(explicit.errors).toBeUndefined();
  });

  it('is tested in more than 20 places', () => {
    expect(OPTIONAL_FIELDS.length + OPTIONAL_ARGUMENTS.length).toBeGreaterThan(20);
  });
});
