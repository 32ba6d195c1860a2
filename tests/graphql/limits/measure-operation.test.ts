import { describe, expect, it } from '@jest/globals';
import { buildSchema, getIntrospectionQuery, getOperationAST, parse, validate, type GraphQLObjectType } from 'graphql';
import { measureOperation, type OperationSize } from '../../../src/graphql/limits/measure-operation.js';
import { measureBusyMs } from '../../support/measure-busy-ms.js';

const SCHEMA = buildSchema(`
  type Query { me: Person, group(id: Int): Group, people(first: Int = 100): People, all: [Person!]! }
  type Mutation { rename(name: String): Person }
  interface Named { name: String }
  type Person implements Named {
    name: String, export: Int, sessions: [Session!]!, followUps: [Session!]!
    blocking: [Group!]!, changing(first: Int! = 100): [Group!]!
    groups(first: Int! = 10): Groups!
  }
  type Session { id: Int }
  type Group implements Named { name: String, members(first: Int): People, owners: [Person] }
  type Groups { nodes: [Group!]!, totalCount: Int }
  type People { nodes: [Person!]!, edges: [Edge!]!, totalCount: Int, pageInfo: PageInfo }
  type PageInfo { hasNextPage: Boolean }
  type Edge { node: Person }
`);

Object.assign(fieldOfPerson('export').extensions, { cost: 700 });
Object.assign(fieldOfPerson('followUps').extensions, { maxEntries: 500 });

function fieldOfPerson(name: string) {
  const field = (SCHEMA.getType('Person') as GraphQLObjectType).getFields()[name];
  if (field === undefined) throw new Error(`Person has no field ${name}`);
  return field;
}

function sizeOf(source: string, variables: Readonly<Record<string, unknown>> = {}): OperationSize {
  const document = parse(source);
  expect(validate(SCHEMA, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('Document has no operation');
  return measureOperation(SCHEMA, document, operation, variables);
}

describe('measureOperation: depth', () => {
  it.each([
    ['{ __typename }', 0],
    ['{ me { name } }', 2],
    ['{ me { name __typename } people { nodes { groups { totalCount } } } }', 4],
    ['{ ... { ... on Query { me { ... on Named { name } } } } }', 2],
    ['{ ...A } fragment A on Query { people { ...B } } fragment B on People { edges { node { name } } }', 4],
    ['{ __schema { types { fields { type { ofType { name } } } } } me { name } }', 2],
  ])('measures %s as %i levels', (source, depth) => {
    expect(sizeOf(source).depth).toBe(depth);
  });
});

describe('measureOperation: aliases, directives and root fields', () => {
  it.each<[string, Partial<OperationSize>]>([
    ['{ a: me { b: name name } }', { aliases: 2, rootFields: 1 }],
    ['{ me { ...A } group { ...A } } fragment A on Named { x: name y: name }', { aliases: 4, rootFields: 2 }],
    [
      '{ ...A ...A ... { me { name } } group { name } } fragment A on Query { a: me { name } b: me { name } }',
      { aliases: 2, rootFields: 4 },
    ],
    [
      'query @skip(if: false) { me @include(if: true) { ... @skip(if: true) { name } ...A @include(if: true) } } ' +
        'fragment A on Person { name @skip(if: false) }',
      { directives: 5 },
    ],
    ['mutation { rename { name } }', { rootFields: 1, depth: 2, cost: 2 }],
  ])('counts those of %s', (source, size) => {
    const document = parse(source);
    const operation = getOperationAST(document);
    expect(operation && measureOperation(SCHEMA, document, operation, {})).toMatchObject(size);
  });
});

describe('measureOperation: cost', () => {
  it.each<[string, string, number, object?]>([
    ['1 per field', '{ me { name } group { name } }', 4],
    [
      'a page as `first`, and the fields of each entry',
      '{ people(first: 20) { totalCount nodes { name } } }',
      20 + 1 + 1 + 20,
    ],
    ['a page through its edges', '{ people(first: 20) { edges { node { name } } } }', 20 + 1 + 20 * 2],
    ['a page of which only pageInfo is selected', '{ people(first: 20) { pageInfo { hasNextPage } } }', 20 + 2],
    [
      'a total in fragments without the entries of its page',
      '{ people(first: 20) { ...A ... { __typename totalCount } } } fragment A on People { totalCount }',
      1 + 3,
    ],
    [
      'a page when its entries are under @skip',
      'query ($n: Boolean!) { people(first: 20) { totalCount ...A @skip(if: $n) } } fragment A on People { nodes { ' +
        'name } }',
      20 + 1 + 1 + 20,
      { n: true },
    ],
    ['a page by the default of `first`', '{ people { nodes { name } } }', 100 + 1 + 100],
    ['a page by a variable', 'query ($n: Int) { people(first: $n) { nodes { name } } }', 7 + 1 + 7, { n: 7 }],
    ['a page by the default of a variable', 'query ($n: Int = 5) { people(first: $n) { nodes { name } } }', 5 + 1 + 5],
    [
      '1,000 entries when `first` is null',
      '{ group { members(first: null) { nodes { name } } } }',
      1 + 1_000 + 1 + 1_000,
    ],
    [
      '1,000 entries when `first` is larger',
      'query ($n: Int) { people(first: $n) { nodes { name } } }',
      1_000 + 1 + 1_000,
      { n: 2_000_000_000 },
    ],
    [
      '1 entry when `first` is negative',
      'query ($n: Int) { people(first: $n) { nodes { name } } }',
      1 + 1 + 1,
      { n: -5 },
    ],
    [
      '1,000 entries when the variable has the wrong type',
      'query ($n: Int) { people(first: $n) { nodes { name } } }',
      1_000 + 1 + 1_000,
      { n: '3' },
    ],
    [
      'nested pages as their product',
      '{ people(first: 10) { nodes { groups(first: 20) { nodes { name } } } } }',
      10 + 1 + 10 * (20 + 1 + 20),
    ],
    [
      'a total in a page once per entry',
      '{ people(first: 10) { nodes { groups(first: 20) { totalCount } } } }',
      10 + 1 + 10 * (1 + 1),
    ],
    ['a list without `first` as 100 entries', '{ me { sessions { id } } }', 1 + 1 + 100],
    ['a list with @MaxEntries as that many entries', '{ me { followUps { id } } }', 1 + 1 + 500],
    ['a list with `first` as that many entries', '{ me { changing(first: 30) { name } } }', 1 + 30 * (1 + 1)],
    [
      'a field with @Cost as its own cost',
      '{ me { export } people(first: 2) { nodes { export } } }',
      1 + 700 + 2 + 1 + 2 * 700,
    ],
    [
      'pages in a list without `first` as their product',
      '{ me { blocking { members(first: 20) { nodes { name } } } } }',
      1 + 1 + 100 * (20 + 1 + 20),
    ],
    ['nested lists as their product', '{ me { blocking { owners { name } } } }', 1 + 1 + 100 * (1 + 100)],
    ['lists of root fields', '{ all { name } ... { all { name } } }', 2 * (1 + 100)],
    [
      'a fragment once per spread',
      '{ people(first: 3) { ...A } me { name } } fragment A on People { totalCount nodes { name sessions { id } } }',
      3 + 1 + 1 + 3 * (1 + 1 + 100) + 2,
    ],
    ['introspection as 1 per field', '{ __schema { types { name } } }', 3],
  ])('measures %s', (_, source, cost, variables = {}) => {
    expect(sizeOf(source, variables as Record<string, unknown>).cost).toBe(cost);
  });

  it('returns the variables that the size depends on', () => {
    const variablesOf = (text: string) => [...sizeOf(text).sizingVariables];
    expect(variablesOf('query ($id: Int) { group(id: $id) { members(first: 3) { totalCount } } }')).toEqual([]);
    expect(variablesOf('query ($n: Int) { group { members(first: $n) { totalCount } } }')).toEqual(['n']);
  });
});

it('measures 90 levels of fragments that spread each other twice within 50 ms', async () => {
  const levels = 90;
  const spread = (level: number): string => `{ ...F${level} ...G${level} }`;
  const both = (level: number, set: string): string =>
    `fragment F${level} on Query ${set} fragment G${level} on Query ${set}`;
  const fragments = Array.from({ length: levels - 1 }, (_, level) => both(level, spread(level + 1)));
  const document = parse(`${spread(0)} ${fragments.join(' ')} ${both(levels - 1, '{ a: me { name } }')}`);
  const operation = getOperationAST(document);
  let size: unknown;
  expect(
    await measureBusyMs(() => {
      size = operation && measureOperation(SCHEMA, document, operation, {});
    }),
  ).toBeLessThan(50);
  expect(size).toMatchObject({ aliases: 2 ** levels, rootFields: 2 ** levels, depth: 2 });
});

it('measures the introspection query of tools as less than 500', () => {
  const size = sizeOf(
    getIntrospectionQuery({
      descriptions: true,
      inputValueDeprecation: true,
      specifiedByUrl: true,
      schemaDescription: true,
    }),
  );
  expect(size).toMatchObject({ depth: 0, aliases: 0, rootFields: 1 });
  expect(size.cost).toBeLessThan(500);
});
