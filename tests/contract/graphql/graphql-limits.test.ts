import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { STREAM_TRANSPORTS, TRANSPORT_NAMES, TRANSPORTS } from '../../support/http/graphql-transports.js';
import { TestClient, type GraphqlResponse } from '../../support/http/test-client.js';
import { measureBusyMs } from '../../support/measure-busy-ms.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { registerUser, type TestUser } from '../../support/service/test-users.js';

const NEW = 'application/graphql-response+json';
const OLD = 'application/json';
const SOON_MS = 50;
const REPETITIONS = 3;

interface Sized {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

function many(count: number, part: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => part(index)).join(' ');
}

/** Fields that can be nested to any depth, with a selection for each. */
const CHAIN = [
  ['me', 'id'],
  ['memberships(first: 1)', 'totalCount'],
  ['nodes', 'status'],
] as const;
const ENDLESS = [
  ['group', 'name'],
  ['members(first: 1)', 'totalCount'],
  ['nodes', 'status'],
] as const;

function deep(levels: number): string {
  const chain = [
    ...CHAIN,
    ...Array.from({ length: levels }, (_, index) => ENDLESS[index % ENDLESS.length] ?? ENDLESS[0]),
  ].slice(0, levels - 1);
  return `{ ${chain.reduceRight((inner, [field]) => `${field} { ${inner} }`, String(chain.at(-1)?.[1]))} }`;
}

const ENTRIES = 955;
const FIELDS_PER_ENTRY = 25;

/** An operation for each limit that uses exactly the given amount. */
const OPERATIONS: Readonly<Record<string, { readonly most: number; readonly make: (size: number) => Sized }>> = {
  // Two braces, 20 times five around 44 fields, and the remaining number.
  tokens: {
    most: 1_000,
    make: (size) => ({
      query: `{ ${many(20, (index) => `a${index}: me { ${many(44 + (index === 0 ? size - 982 : 0), () => 'id')} }`)} }`,
    }),
  },
  depth: { most: 12, make: (size) => ({ query: deep(size) }) },
  aliases: { most: 20, make: (size) => ({ query: `{ me { ${many(size, (index) => `a${index}: id`)} } }` }) },
  directives: {
    most: 50,
    make: (size) => ({ query: `{ me { id ${many(size, () => '... @include(if: true) { id }')} } }` }),
  },
  rootFields: { most: 20, make: (size) => ({ query: `{ ${many(size, () => 'me { id }')} }` }) },
  cost: {
    most: 25_000,
    make: (size) => ({
      // A page costs its entries. In addition, `me` and `nodes` cost one each.
      query: `
        query ($n: Int!) {
          me {
            memberships(first: $n) { nodes { ${many(FIELDS_PER_ENTRY, () => 'status')} } }
            ${many(size - ENTRIES * (FIELDS_PER_ENTRY + 1) - 2, () => 'id')}
          }
        }`,
      variables: { n: ENTRIES },
    }),
  },
};

describe.each(['yoga', 'apollo'])('the operation limits with %s', (engine) => {
  let service: TestService;
  let ada: TestUser;
  beforeAll(async () => {
    service = await startTestService({ hasher: FAKE_HASHER, settings: { GRAPHQL_ENGINE: engine } });
    ada = await registerUser(service);
  });
  afterAll(() => service.remove());

  it.each(Object.entries(OPERATIONS))(
    'allow an operation with the maximum of %s, and immediately reject one more',
    async (name, { most, make }) => {
      const fine = make(most);
      expect((await ada.graphql(fine.query, fine.variables)).errors).toBeUndefined();
      const excess = make(most + 1);
      for (const accept of [NEW, OLD]) {
        let response: GraphqlResponse | undefined;
        expect(
          await measureBusyMs(async () => {
            response = await ada.graphql(excess.query, excess.variables, { accept });
          }, REPETITIONS),
        ).toBeLessThan(SOON_MS);
        const { status, data, errors } = response!;
        expect({ status, data }).toEqual({ status: 400, data: undefined });
        expect(errors).toEqual([
          expect.objectContaining({
            extensions: {
              code: name === 'tokens' ? 'GRAPHQL_PARSE_FAILED' : 'GRAPHQL_VALIDATION_FAILED',
              reason: 'INVALID_INPUT',
              limit: { name, most },
              requestId: expect.any(String),
            },
          }),
        ]);
        expect(errors?.[0]?.message).toContain(most.toLocaleString('en'));
      }
    },
  );

  describe.each(TRANSPORT_NAMES)('over the transport %s', (name) => {
    const send = (sized: Sized) => TRANSPORTS[name](service.url, ada, sized);

    it.each(Object.entries(OPERATIONS))('apply to %s', async (limit, { most, make }) => {
      expect((await send(make(most))).errors).toBeUndefined();
      const { status, data, errors } = await send(make(most + 1));
      // A stream has started successfully before the error is sent.
      expect({ status, data }).toEqual({ status: STREAM_TRANSPORTS.includes(name) ? 200 : 400, data: undefined });
      expect(errors?.map(({ extensions }) => extensions.limit)).toEqual([{ name: limit, most }]);
    });

    it('compute the cost from the variables of each request', async () => {
      const query = `
        query ($n: Int!) {
          me { memberships(first: 30) { nodes { group { members(first: $n) { totalCount nodes { status } } } } } }
        }`;
      for (const [n, limit] of [
        [100, undefined],
        [1_000, 'cost'],
        [100, undefined],
      ] as const) {
        const { errors } = await send({ query, variables: { n } });
        expect(errors?.map(({ extensions }) => extensions.limit)).toEqual(limit && [{ name: limit, most: 25_000 }]);
      }
    });
  });

  it.each(STREAM_TRANSPORTS)('apply to a subscription by %s', async (name) => {
    const fields: Readonly<Record<string, string>> = {
      aliases: many(21, (index) => `a${index}: revision`),
      directives: many(51, () => '... @include(if: true) { revision }'),
      depth: `${'group { members(first: 1) { nodes { '.repeat(4)}status${' } } }'.repeat(4)}`,
      cost: 'group { members(first: 1000) { nodes { group { members(first: 30) { nodes { status } } } } } }',
    };
    for (const [limit, selection] of Object.entries(fields)) {
      const { errors } = await TRANSPORTS[name](service.url, ada, {
        query: `subscription { groupChanged(groupId: "00000000-0000-7000-8000-000000000000") { ${selection} } }`,
      });
      expect(errors?.map(({ extensions }) => extensions.limit)).toEqual([expect.objectContaining({ name: limit })]);
    }
  });

  it('reject an operation before any part of it is executed', async () => {
    const before = await service.database.pool.query('select count(*) from account');
    const register = (index: number): string =>
      `r${index}: register(input: {username: "many-${index}", password: "a password of many"}) { user { id } }`;
    expect((await new TestClient(service.url).graphql(`mutation { ${many(21, register)} }`)).status).toBe(400);
    expect((await service.database.pool.query('select count(*) from account')).rows).toEqual(before.rows);
  });

  it('immediately reject an operation with more parallel fields than can be compared', async () => {
    let errors: GraphqlResponse['errors'];
    expect(
      await measureBusyMs(async () => {
        ({ errors } = await ada.graphql(`{ me { ${many(990, () => 'id')} } }`));
      }),
    ).toBeLessThan(300);
    expect(errors?.map(({ message }) => message)).toEqual([
      'The document selects too many fields beside each other to be checked.',
    ]);
  });

  it('compute the cost from the variables of each request', async () => {
    const query = `
      query ($n: Int!) {
        me {
          memberships(first: 20) {
            nodes { group { members(first: $n) { nodes { user { username displayName } } } } }
          }
        }
      }`;
    expect((await ada.graphql(query, { n: 100 })).errors).toBeUndefined();
    expect((await ada.graphql(query, { n: 1_000 })).errors?.[0]?.extensions).toMatchObject({ limit: { name: 'cost' } });
    expect((await ada.graphql(query, { n: 100 })).errors).toBeUndefined();
  });

  it('return the page length error for a page of a wrong length', async () => {
    for (const n of [0, -1, 1_001, 2_147_483_647]) {
      const { errors } = await ada.graphql('query ($n: Int!) { me { memberships(first: $n) { totalCount } } }', { n });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: [{ field: 'first' }] });
    }
  });

  it('apply to streamed operations', async () => {
    const fields = many(21, (index) => `a${index}: revision`);
    const query = `subscription { groupChanged(groupId: "00000000-0000-7000-8000-000000000000") { ${fields} } }`;
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': OLD, accept: 'text/event-stream', authorization: `Bearer ${ada.token}` },
      body: JSON.stringify({ query }),
    });
    expect(await response.text()).toContain('"limit":{"name":"aliases","most":20}');
  });

  it('allow the introspection query of tools', async () => {
    expect((await ada.graphql(getIntrospectionQuery({ inputValueDeprecation: true }))).errors).toBeUndefined();
  });
});

describe('the limits on operations', () => {
  it('follow the settings', async () => {
    const service = await startTestService({
      hasher: FAKE_HASHER,
      settings: { GRAPHQL_ALIASES: '1', GRAPHQL_COST: '3', BODY_LIMIT_KIB: '1' },
    });
    try {
      const anonymous = new TestClient(service.url);
      expect((await anonymous.graphql('{ a: __typename }')).errors).toBeUndefined();
      expect((await anonymous.graphql('{ a: __typename b: __typename }')).errors?.[0]?.extensions).toMatchObject({
        limit: { name: 'aliases', most: 1 },
      });
      expect(
        (await anonymous.graphql('{ __schema { queryType { name fields { name } } } }')).errors?.[0]?.extensions,
      ).toMatchObject({ limit: { name: 'cost', most: 3 } });
      expect((await anonymous.post('/api/auth/token', { username: 'x'.repeat(2_000), password: 'x' })).status).toBe(
        413,
      );
    } finally {
      await service.remove();
    }
  });
});
