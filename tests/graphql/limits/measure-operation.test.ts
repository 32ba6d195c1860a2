import { describe, expect, it } from '@jest/globals';
import { buildSchema, getIntrospectionQuery, getOperationAST, parse, validate, type GraphQLObjectType } from 'graphql';
import { atMost, costs } from '../../../src/graphql/limits/field-cost.js';
import { measureOperation, type OperationSize } from '../../../src/graphql/limits/measure-operation.js';
import { measureBusyMs } from '../../support/measure-busy-ms.js';

const SCHEMA = buildSchema(`
  type Query { me: Person, group(id: Int): Group, people(first: Int = 100): People, all: [Person!]! }
  type Mutation { rename(name: String): Person }
  interface Named { name: String }
  type Person implements Named {
    name: String, export: Int, sessions: [Session!]!, followUps: [Session!]!, blocking: [Group!]!, changing(first: Int! = 100): [Group!]!
    groups(first: Int! = 10): Groups!
  }
  type Session { id: Int }
  type Group implements Named { name: String, members(first: Int): People, owners: [Person] }
  type Groups { nodes: [Group!]!, totalCount: Int }
  type People { nodes: [Person!]!, edges: [Edge!]!, totalCount: Int, pageInfo: PageInfo }
  type PageInfo { hasNextPage: Boolean }
  type Edge { node: Person }
`);

Object.assign(fieldOfPerson('export').extensions, costs(700));
Object.assign(fieldOfPerson('followUps').extensions, atMost(500));

function fieldOfPerson(name: string) {
  const field = (SCHEMA.getType('Person') as GraphQLObjectType).getFields()[name];
  if (field === undefined) throw new Error(`no ${name}`);
  return field;
}

function sizeOf(source: string, variables: Readonly<Record<string, unknown>> = {}): OperationSize {
  const document = parse(source);
  expect(validate(SCHEMA, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('no operation');
  return measureOperation(SCHEMA, document, operation, variables);
}

describe('the depth of an operation', () => {
  it.each([
    ['{ __typename }', 0],
    ['{ me { name } }', 2],
    ['{ me { name __typename } people { nodes { groups { totalCount } } } }', 4],
    ['{ ... { ... on Query { me { ... on Named { name } } } } }', 2],
    ['{ ...A } fragment A on Query { people { ...B } } fragment B on People { edges { node { name } } }', 4],
    ['{ __schema { types { fields { type { ofType { name } } } } } me { name } }', 2],
  ])('of %s is %i', (source, depth) => {
    expect(sizeOf(source).depth).toBe(depth);
  });
});

describe('what an operation has', () => {
  it.each<[string, Partial<OperationSize>]>([
    ['{ a: me { b: name name } }', { aliases: 2, rootFields: 1 }],
    ['{ me { ...A } group { ...A } } fragment A on Named { x: name y: name }', { aliases: 4, rootFields: 2 }],
    [
      '{ ...A ...A ... { me { name } } group { name } } fragment A on Query { a: me { name } b: me { name } }',
      { aliases: 2, rootFields: 4 },
    ],
    [
      'query @skip(if: false) { me @include(if: true) { ... @skip(if: true) { name } ...A @include(if: true) } } fragment A on Person { name @skip(if: false) }',
      { directives: 5 },
    ],
    ['mutation { rename { name } }', { rootFields: 1, depth: 2, cost: 2 }],
  ])('in %s is counted', (source, size) => {
    const document = parse(source);
    const operation = getOperationAST(document);
    expect(operation && measureOperation(SCHEMA, document, operation, {})).toMatchObject(size);
  });
});

describe('what an operation costs', () => {
  it.each<[string, string, number, object?]>([
    ['each field', '{ me { name } group { name } }', 4],
    [
      'a page as many entries as it asks for, and the fields of each',
      '{ people(first: 20) { totalCount nodes { name } } }',
      20 + 1 + 1 + 20,
    ],
    ['with an edge in between', '{ people(first: 20) { edges { node { name } } } }', 20 + 1 + 20 * 2],
    [
      'a page of which only the place is asked for, all the same',
      '{ people(first: 20) { pageInfo { hasNextPage } } }',
      20 + 2,
    ],
    [
      'one where only the total is asked for, through fragments too',
      '{ people(first: 20) { ...A ... { __typename totalCount } } } fragment A on People { totalCount }',
      1 + 3,
    ],
    [
      'the page where an entry may be left out',
      'query ($n: Boolean!) { people(first: 20) { totalCount ...A @skip(if: $n) } } fragment A on People { nodes { name } }',
      20 + 1 + 1 + 20,
      { n: true },
    ],
    ['by the default size of a page', '{ people { nodes { name } } }', 100 + 1 + 100],
    ['by a variable', 'query ($n: Int) { people(first: $n) { nodes { name } } }', 7 + 1 + 7, { n: 7 }],
    ['by the default of a variable', 'query ($n: Int = 5) { people(first: $n) { nodes { name } } }', 5 + 1 + 5],
    [
      'as the longest page where null leaves it open',
      '{ group { members(first: null) { nodes { name } } } }',
      1 + 1_000 + 1 + 1_000,
    ],
    [
      'as the longest page at most',
      'query ($n: Int) { people(first: $n) { nodes { name } } }',
      1_000 + 1 + 1_000,
      { n: 2_000_000_000 },
    ],
    ['as one entry at least', 'query ($n: Int) { people(first: $n) { nodes { name } } }', 1 + 1 + 1, { n: -5 }],
    [
      'as the longest page where the variable does not fit',
      'query ($n: Int) { people(first: $n) { nodes { name } } }',
      1_000 + 1 + 1_000,
      { n: '3' },
    ],
    [
      'pages of pages, multiplied',
      '{ people(first: 10) { nodes { groups(first: 20) { nodes { name } } } } }',
      10 + 1 + 10 * (20 + 1 + 20),
    ],
    [
      'totals within pages, once for each entry',
      '{ people(first: 10) { nodes { groups(first: 20) { totalCount } } } }',
      10 + 1 + 10 * (1 + 1),
    ],
    ['lists that are no pages, as a hundred entries', '{ me { sessions { id } } }', 1 + 1 + 100],
    ['lists that say how long they may be, as so many', '{ me { followUps { id } } }', 1 + 1 + 500],
    ['lists that say how many are asked for, as so many', '{ me { changing(first: 30) { name } } }', 1 + 30 * (1 + 1)],
    [
      'what a field says of itself',
      '{ me { export } people(first: 2) { nodes { export } } }',
      1 + 700 + 2 + 1 + 2 * 700,
    ],
    [
      'pages within lists that are no pages, multiplied',
      '{ me { blocking { members(first: 20) { nodes { name } } } } }',
      1 + 1 + 100 * (20 + 1 + 20),
    ],
    ['lists within lists, multiplied', '{ me { blocking { owners { name } } } }', 1 + 1 + 100 * (1 + 100)],
    ['lists of the root', '{ all { name } ... { all { name } } }', 2 * (1 + 100)],
    [
      'fragments wherever they are spread',
      '{ people(first: 3) { ...A } me { name } } fragment A on People { totalCount nodes { name sessions { id } } }',
      3 + 1 + 1 + 3 * (1 + 1 + 100) + 2,
    ],
    ['introspection, field by field', '{ __schema { types { name } } }', 3],
  ])('%s', (_, source, cost, variables = {}) => {
    expect(sizeOf(source, variables as Record<string, unknown>).cost).toBe(cost);
  });

  it('is known for good unless a variable says how long a page is', () => {
    expect(sizeOf('query ($id: Int) { group(id: $id) { members(first: 3) { totalCount } } }').isFixed).toBe(true);
    expect(sizeOf('query ($n: Int) { group { members(first: $n) { totalCount } } }').isFixed).toBe(false);
  });
});

it('measures fragments that spread each other twice over at once', async () => {
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

it('finds introspection as tools ask for it within reason', () => {
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
