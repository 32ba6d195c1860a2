import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import type { RequestContext } from '../../../src/graphql/context/request-context.js';
import { Executor } from '../../../src/graphql/execution/executor.js';
import { ARGUMENT_TYPES, LEAF_NAMES, sampleSchema } from './sample-schema.js';

/** The third run shows that the second was no accident. */
const RUNS = 3;
/** What is tried here is not their size. */
const WIDE_LIMITS = {
  tokens: 100_000,
  depth: 1_000,
  aliases: 10_000,
  directives: 10_000,
  rootFields: 10_000,
  cost: 1_000_000,
};

interface Answer {
  readonly data: unknown;
  readonly errors: readonly ReturnType<GraphQLError['toJSON']>[];
  readonly bugs: readonly unknown[];
}

/** The answers of a document's first run, which is interpreted, and of those that follow, which may be compiled. */
async function answersOf(
  source: string,
  variables: Readonly<Record<string, unknown>> = {},
  schema: GraphQLSchema = sampleSchema(),
): Promise<Answer[]> {
  const executor = new Executor(schema, { introspection: true, limits: WIDE_LIMITS });
  const document = executor.documents.read(source);
  if ('errors' in document) throw new Error(`not a valid document: ${String(document.errors)}`);
  const answers: Answer[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const bugs: unknown[] = [];
    // What the executor itself looks at; the sample's resolvers look at nothing.
    const context = {
      requestId: 'request-1',
      actor: { kind: 'user' },
      reportUnexpectedError: (error: unknown) => bugs.push(error),
    } as unknown as RequestContext;
    const { data, errors = [] } = await executor.executeDocument(document, { variables }, context);
    answers.push({ data: data === undefined ? 'no data' : data, errors: errors.map((error) => error.toJSON()), bugs });
  }
  return answers;
}

async function expectSame(source: string, variables: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  const [first, ...later] = await answersOf(source, variables);
  if (first === undefined) throw new Error('nothing ran');
  for (const answer of later) {
    expect(answer.data).toEqual(first.data);
    expect(new Set(answer.errors.map(textOf))).toEqual(new Set(first.errors.map(textOf)));
  }
  expect(JSON.stringify([first.data, first.errors])).not.toContain('canary');
  return first;
}

function textOf(error: unknown): string {
  return JSON.stringify(error);
}

describe('an operation that comes again', () => {
  it.each([
    ['alone', '{ thing { LEAF } }'],
    ['in what is never null', '{ thingNeverNull { LEAF } }'],
    ['in a list', '{ thing { things { name LEAF } } }'],
    ['deep within what is never null', '{ thing { self { selfNeverNull { LEAF } } sure } }'],
    ['under an alias, on a line of its own', '{ thing {\n  name\n  other: LEAF\n} }'],
    ['merged and in a fragment', '{ thing { LEAF LEAF } ...More } fragment More on Query { thing { LEAF } }'],
    [
      'behind an interface and a union',
      '{ thing { shared { ... on Thing { LEAF } name } either { __typename ... on Thing { LEAF } } } }',
    ],
  ])('gives the same data and errors for every kind of field, %s', async (_, template) => {
    for (const leaf of LEAF_NAMES) await expectSame(template.replaceAll('LEAF', leaf));
  });

  it('adds nothing but further errors below a null that one error has made', async () => {
    const [first, second] = await answersOf('{ thing { thingsNeverNull { refusedNeverNull } name } }');
    expect(second?.data).toEqual({ thing: null });
    expect(first?.data).toEqual({ thing: null });
    expect(second?.errors).toEqual(expect.arrayContaining([...(first?.errors ?? [])]));
    expect(second?.errors.every(({ path }) => path?.[0] === 'thing')).toBe(true);
  });

  it.each([
    '{ __typename thing { __typename } }',
    '{ __schema { queryType { name fields { name args { name defaultValue } } } } __type(name: "Thing") { kind } }',
    '{ thing { given } }',
    '{ thing { given(int: null, neverNull: 5, text: null, list: null, inner: null) } }',
    '{ thing { given(list: 5, inner: {need: "x", list: 5}) } }',
    '{ thing { given(colour: BLUE, at: "2030-01-31T18:00:00+02:00", float: 1) } }',
    '{ thing { given(float: 1e400) } }',
    'mutation { first { name } }',
    'mutation { failing { name } }',
  ])('gives the same for %s', (source) => expectSame(source));

  it.each([
    'query ($a: Boolean!) { thing { name @include(if: $a) sure } }',
    'query ($a: Boolean!) { thing @skip(if: $a) { name } }',
    'query ($a: Boolean = true) { thing { name @include(if: $a) sure } }',
    'query ($a: Boolean = false) { thing { ...More @skip(if: $a) ... @include(if: $a) { sure } } } fragment More on ' +
      'Thing { name }',
    'query ($a: Boolean! = true) { ...More @include(if: $a) } fragment More on Query { thing { name } }',
    'query ($a: Boolean = true) { thing @include(if: $a) @skip(if: $a) { name } }',
    'query ($a: Boolean = true) { thing { name @include(if: $a) name @skip(if: $a) self { name } self @include(if: ' +
      '$a) { sure } } }',
  ])('gives the same on every condition of %s', async (source) => {
    for (const variables of [{}, { a: true }, { a: false }, { a: null }, { a: 'x' }, { a: 1 }, { a: [true] }])
      await expectSame(source, variables);
  });
});

describe('variables', () => {
  const VALUES: readonly unknown[] = [
    null,
    1,
    -0,
    1.5,
    2_147_483_648,
    -2_147_483_649,
    Infinity,
    9_007_199_254_740_993,
    '1',
    '',
    'x',
    true,
    false,
    [],
    [1],
    [null],
    ['1'],
    [1.5],
    [[1]],
    {},
    { need: 'x' },
    { need: null },
    { need: 'x', int: null, byDefault: null },
    { need: 'x', neverNull: null },
    { need: 'x', list: 5 },
    { need: 'x', list: [null] },
    { need: 'x', colour: 'RED' },
    { need: 'x', colour: 'b' },
    { need: 'x', unknown: 1 },
    { need: 'x', at: '2030-01-31T18:00:00Z' },
    { need: 'x', constructor: 1 },
    JSON.parse('{"need": "x", "__proto__": {"int": 1}}'),
    { int: 1, deeper: { int: 2, deeper: { int: 'x' } } },
    { deeper: { deeper: null } },
    'RED',
    'red',
    'b',
    'toString',
    'constructor',
    '__proto__',
    '0190C2A0-0000-7000-8000-000000000000',
    '2030-01-31T18:00:00Z',
    '2030-02-31T18:00:00Z',
  ];

  it.each(Object.entries(ARGUMENT_TYPES))(
    'of every value come to the same for the argument %s of type %s',
    async (name, type) => {
      const source = `query ($v: ${type}) { thing { given(${name}: $v) name } }`;
      await expectSame(source);
      for (const v of VALUES) await expectSame(source, { v });
    },
  );

  it.each([
    'query ($v: Int = 5) { thing { given(neverNull: $v) name } }',
    'query ($v: Int = 5) { thingNeverNull { given(neverNull: $v) name } }',
    'query ($v: Int = 5) { thing { given(inner: {need: "x", neverNull: $v}) } }',
    'query ($v: Int) { thing { given(list: [$v, 1], inner: {need: "x", int: $v}) } }',
    'query ($v: String!) { thing { given(inner: {need: $v}) } }',
    'query ($v: [Int!]! = [1, 2]) { thing { given(list: $v) } }',
    'query ($v: Inner = {need: "by default"}) { thing { given(inner: $v) } }',
    'query ($v: Colour = RED, $w: Int) { thing { given(colour: $v, int: $w) } }',
  ])('come to the same wherever they stand: %s', async (source) => {
    await expectSame(source);
    for (const v of VALUES) await expectSame(source, { v });
  });

  it('come to the same, whatever JSON they are', async () => {
    const field = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom<unknown>(...VALUES));
    const inner = fc.record(
      { need: field, int: field, byDefault: field, neverNull: field, list: field, colour: field, at: field },
      { requiredKeys: [] },
    );
    const executor = 'query ($v: Inner!, $w: [Int]) { thing { given(inner: $v, list: $w) } }';
    await fc.assert(
      fc.asyncProperty(inner, field, async (v, w) => {
        await expectSame(executor, { v, w });
      }),
      { numRuns: 100 },
    );
  });

  it("that are null where they must not be are the client's affair, and no bug", async () => {
    for (const source of [
      'query ($v: Int = 5) { thing { given(neverNull: $v) } }',
      'query ($v: Boolean = true) { thing { name @include(if: $v) } }',
      'query ($v: Boolean = true) { thing @include(if: $v) { name } }',
    ]) {
      const { errors, bugs } = await expectSame(source, { v: null });
      expect(errors[0]?.extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        fields: [{ message: 'must not be null' }],
      });
      expect(bugs).toEqual([]);
    }
  });
});

describe('several mutations in one document', () => {
  it.each([
    ['mutation { first { name } again: first { name } second { sure } }', ['first', 'first', 'second']],
    ['mutation { first { name } failing { name } second { name } }', ['first', 'failing']],
    ['mutation { first { refusedNeverNull } second { name } }', ['first']],
    ['mutation { ...All } fragment All on Mutation { failing { name } second { name } }', ['failing']],
  ])('run in order, and end with the first that fails: %s', async (source, expected) => {
    const done: string[] = [];
    await answersOf(
      source,
      {},
      sampleSchema((name) => done.push(name)),
    );
    expect(done).toEqual(Array.from({ length: RUNS }, () => expected).flat());
  });
});

describe('a bug', () => {
  it.each(['bug', 'bugArgument', 'wrongInt', 'notFinite', 'wrongColour', 'wrongDate', 'missing', 'noList'])(
    'in the field %s is masked and reported once',
    async (leaf) => {
      for (const { errors, bugs } of await answersOf(`{ thing { ${leaf} } }`)) {
        expect(errors).toEqual([
          {
            message: 'Something went wrong on our side.',
            path: ['thing', leaf],
            locations: [{ line: 1, column: 11 }],
            extensions: { code: 'INTERNAL_SERVER_ERROR', reason: 'INTERNAL', requestId: 'request-1' },
          },
        ]);
        expect(bugs).toHaveLength(1);
      }
    },
  );
});
