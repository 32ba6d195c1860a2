import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GraphqlResponse } from '../../support/http/test-client.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import {
  createGroupViaApi,
  insertAccounts,
  inviteUsers,
  registerUser,
  type TestUser,
} from '../../support/service/test-users.js';

/** As Relay sends it for a list that is read in both directions. */
const MEMBERS = `query ($id: UUID!, $first: Int, $after: String, $last: Int, $before: String) { group(id: $id) {
  members(first: $first, after: $after, last: $last, before: $before) {
    edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
const MEMBER_COUNT = 120;
/** The first run interprets a document, and the second one compiles it. */
const RUNS = 3;

interface Members {
  readonly group: {
    readonly members: {
      readonly edges: readonly { readonly cursor: string }[];
      readonly pageInfo: {
        readonly hasNextPage: boolean;
        readonly hasPreviousPage: boolean;
        readonly startCursor: string;
        readonly endCursor: string;
      };
    };
  };
}

describe.each(['yoga', 'apollo'])('a connection on %s', (engine) => {
  let service: TestService;
  let owner: TestUser;
  let id: string;
  let cursors: readonly string[];
  beforeAll(async () => {
    service = await startTestService({ hasher: FAKE_HASHER, settings: { GRAPHQL_ENGINE: engine } });
    owner = await registerUser(service);
    id = await createGroupViaApi(owner);
    await inviteUsers(owner, id, await insertAccounts(service, MEMBER_COUNT - 1));
    cursors = await read({ first: 1_000 });
    expect(cursors).toHaveLength(MEMBER_COUNT);
  });
  afterAll(() => service.remove());

  async function read(variables: Readonly<Record<string, unknown>>): Promise<string[]> {
    const { group } = await owner.data<Members>(MEMBERS, { id, ...variables });
    return group.members.edges.map(({ cursor }) => cursor);
  }

  async function readLiteral(args: string): Promise<GraphqlResponse<Members>> {
    return owner.graphql(`{ group(id: "${id}") { members${args} { edges { cursor } pageInfo { hasNextPage } } } }`);
  }

  function fieldsOf({ errors }: GraphqlResponse<unknown>): unknown {
    return errors?.[0]?.extensions.fields;
  }

  it('has 100 entries from the beginning without a size, and where it is null', async () => {
    const expected = cursors.slice(0, 100);
    for (const variables of [{}, { first: null }, { first: null, last: null, before: null, after: null }])
      expect(await read(variables)).toEqual(expected);
    for (const args of ['', '(first: null)', '(last: null, before: null)'])
      expect((await readLiteral(args)).data?.group.members.edges.map(({ cursor }) => cursor)).toEqual(expected);
  });

  it('is read from its end with `last`, whose default of `first` does not count', async () => {
    const expected = cursors.slice(-5);
    for (let run = 0; run < RUNS; run += 1) {
      expect(await read({ last: 5 })).toEqual(expected);
      expect(await read({ first: null, last: 5 })).toEqual(expected);
      for (const args of ['(last: 5)', '(first: null, last: 5)'])
        expect((await readLiteral(args)).data?.group.members.edges.map(({ cursor }) => cursor)).toEqual(expected);
    }
  });

  it('goes back with `before` to its beginning', async () => {
    const pages: string[][] = [];
    for (let before: string | null = null, more = true; more;) {
      const page: Members = await owner.data<Members>(MEMBERS, { id, last: 50, before });
      const { edges, pageInfo }: Members['group']['members'] = page.group.members;
      expect(pageInfo.hasNextPage).toBe(before !== null);
      expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([edges[0]?.cursor, edges.at(-1)?.cursor]);
      pages.unshift(edges.map(({ cursor }) => cursor));
      ({ startCursor: before, hasPreviousPage: more } = pageInfo);
    }
    expect(pages.map((page) => page.length)).toEqual([20, 50, 50]);
    expect(pages.flat()).toEqual(cursors);
  });

  it('rejects `first` with `last`, the default given explicitly too, and names the field', async () => {
    const both = [{ field: 'last', message: 'must not be given together with first' }];
    for (let run = 0; run < RUNS; run += 1) {
      expect(fieldsOf(await owner.graphql(MEMBERS, { id, first: 100, last: 5 }))).toEqual(both);
      expect(fieldsOf(await readLiteral('(first: 100, last: 5)'))).toEqual(both);
    }
  });

  it('rejects a size out of range and a cursor of another list, and names the field', async () => {
    for (const last of [0, -1, 1_001])
      expect(fieldsOf(await owner.graphql(MEMBERS, { id, last }))).toEqual([
        { field: 'last', message: 'must be from 1 to 1,000' },
      ]);
    expect(fieldsOf(await owner.graphql(MEMBERS, { id, last: 5, before: 'x' }))).toEqual([
      { field: 'before', message: 'must be a cursor that this list has given' },
    ]);
  });

  it('costs its `last`', async () => {
    const document = `query ($id: UUID!, $last: Int) { group(id: $id) { members(last: $last) { nodes {
      group { members(first: 100) { nodes { id } } } } } } }`;
    expect((await owner.graphql(document, { id, last: 10 })).errors).toBeUndefined();
    expect((await owner.graphql(document, { id, last: 500 })).errors).toMatchObject([
      { extensions: { limit: { name: 'cost' } } },
    ]);
  });
});
