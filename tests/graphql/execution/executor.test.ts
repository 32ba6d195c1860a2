import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import type { RequestContext } from '../../../src/graphql/context/request-context.js';
import { Executor } from '../../../src/graphql/execution/executor.js';
import type { KnownOperation } from '../../../src/graphql/execution/known-operation.js';
import { ARGUMENT_TYPES, LEAF_NAMES, sampleSchema } from './sample-schema.js';

/** The first run is interpreted, the second compiles, the third runs the compiled operation. */
const RUNS = 3;
/** Never reached by the operations of this file. */
const WIDE_LIMITS = {
  tokens: 100_000,
  depth: 1_000,
  aliases: 10_000,
  directives: 10_000,
  rootFields: 10_000,
  cost: 1_000_000,
};

interface RunResult {
  readonly data: unknown;
  readonly errors: readonly ReturnType<GraphQLError['toJSON']>[];
  readonly unexpectedErrors: readonly unknown[];
}

/** The part that the executor reads. The resolvers of the sample schema read nothing. */
function contextWith(unexpectedErrors: unknown[] = []): RequestContext {
  return {
    requestId: 'request-1',
    actor: { kind: 'user' },
    reportUnexpectedError: (error: unknown) => unexpectedErrors.push(error),
  } as unknown as RequestContext;
}

function createExecutor(schema: GraphQLSchema = sampleSchema()): Executor {
  return new Executor(schema, { introspection: true, limits: WIDE_LIMITS });
}

/** Runs a document three times. */
async function runRepeatedly(
  source: string,
  variables: Readonly<Record<string, unknown>> = {},
  schema?: GraphQLSchema,
): Promise<RunResult[]> {
  const executor = createExecutor(schema);
  const document = executor.documents.read(source);
  if ('errors' in document) throw new Error(`Document is invalid: ${String(document.errors)}`);
  const results: RunResult[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const unexpectedErrors: unknown[] = [];
    const context = contextWith(unexpectedErrors);
    const { data, errors = [] } = await executor.executeDocument(document, { variables }, context);
    results.push({
      data: data === undefined ? 'no data' : data,
      errors: errors.map((error) => error.toJSON()),
      unexpectedErrors,
    });
  }
  return results;
}

async function expectSame(source: string, variables: Readonly<Record<string, unknown>> = {}): Promise<RunResult> {
  const [first, ...later] = await runRepeatedly(source, variables);
  if (first === undefined) throw new Error('No run has a result');
  for (const result of later) {
    expect(result.data).toEqual(first.data);
    expect(new Set(result.errors.map(textOf))).toEqual(new Set(first.errors.map(textOf)));
  }
  expect(JSON.stringify([first.data, first.errors])).not.toContain('canary');
  return first;
}

function textOf(error: unknown): string {
  return JSON.stringify(error);
}

describe('Executor.findOperation', () => {
  const source = 'query First { thing { name } } query Second { __typename }';

  function findIn(executor: Executor, name: string | null): KnownOperation {
    const found = executor.findOperation(source, name, 'request-1');
    if ('errors' in found) throw new Error(found.errors.join());
    return found;
  }

  it('returns one object for each operation of a document, and errors without a name', () => {
    const executor = createExecutor();
    const first = findIn(executor, 'First');
    expect(findIn(executor, 'Second').operation.name?.value).toBe('Second');
    expect(findIn(executor, 'First')).toBe(first);
    expect(executor.findOperation(source, null, 'request-1')).toHaveProperty('errors');
  });

  it('returns an operation that its second run compiles', async () => {
    const executor = createExecutor();
    const operation = findIn(executor, 'First');
    const run = () => executor.executeOperation({ operation, variables: {}, context: contextWith() });
    const first = await run();
    expect(operation.compiled).toBeNull();
    await expect(run()).resolves.toEqual(first);
    expect(operation.compiled).not.toBeNull();
  });
});

describe('Executor with a repeated operation', () => {
  it.each([
    ['at the root', '{ thing { LEAF } }'],
    ['in a non-null field', '{ thingNeverNull { LEAF } }'],
    ['in a list', '{ thing { things { name LEAF } } }'],
    ['nested in non-null fields', '{ thing { self { selfNeverNull { LEAF } } sure } }'],
    ['with an alias on its own line', '{ thing {\n  name\n  other: LEAF\n} }'],
    ['merged and in a fragment', '{ thing { LEAF LEAF } ...More } fragment More on Query { thing { LEAF } }'],
    [
      'in an interface and a union',
      '{ thing { shared { ... on Thing { LEAF } name } either { __typename ... on Thing { LEAF } } } }',
    ],
  ])('returns the same data and errors for each kind of field %s', async (_, template) => {
    for (const leaf of LEAF_NAMES) await expectSame(template.replaceAll('LEAF', leaf));
  });

  it('adds only errors below a null that one error has caused', async () => {
    const [first, second] = await runRepeatedly('{ thing { thingsNeverNull { refusedNeverNull } name } }');
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
  ])('returns the same result for %s', (source) => expectSame(source));

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
  ])('returns the same result for each condition of %s', async (source) => {
    for (const variables of [{}, { a: true }, { a: false }, { a: null }, { a: 'x' }, { a: 1 }, { a: [true] }])
      await expectSame(source, variables);
  });
});

describe('Executor with variables', () => {
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
    'returns the same result for each value of the argument %s of type %s',
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
  ])('returns the same result for variables in each position of %s', async (source) => {
    await expectSame(source);
    for (const v of VALUES) await expectSame(source, { v });
  });

  it('returns the same result for arbitrary JSON', async () => {
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

  it('returns BAD_USER_INPUT without reporting when a non-null variable is null', async () => {
    for (const source of [
      'query ($v: Int = 5) { thing { given(neverNull: $v) } }',
      'query ($v: Boolean = true) { thing { name @include(if: $v) } }',
      'query ($v: Boolean = true) { thing @include(if: $v) { name } }',
    ]) {
      const { errors, unexpectedErrors } = await expectSame(source, { v: null });
      expect(errors[0]?.extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        fields: [{ message: 'must not be null' }],
      });
      expect(unexpectedErrors).toEqual([]);
    }
  });
});

describe('Executor with several mutations in one document', () => {
  it.each([
    ['mutation { first { name } again: first { name } second { sure } }', ['first', 'first', 'second']],
    ['mutation { first { name } failing { name } second { name } }', ['first', 'failing']],
    ['mutation { first { refusedNeverNull } second { name } }', ['first']],
    ['mutation { ...All } fragment All on Mutation { failing { name } second { name } }', ['failing']],
  ])('runs them in order and stops at the first failure: %s', async (source, expected) => {
    const done: string[] = [];
    await runRepeatedly(
      source,
      {},
      sampleSchema((name) => done.push(name)),
    );
    expect(done).toEqual(Array.from({ length: RUNS }, () => expected).flat());
  });
});

describe('Executor with an unexpected error', () => {
  it.each(['bug', 'bugArgument', 'wrongInt', 'notFinite', 'wrongColour', 'wrongDate', 'missing', 'noList'])(
    'masks the error of the field %s and reports it once',
    async (leaf) => {
      for (const { errors, unexpectedErrors } of await runRepeatedly(`{ thing { ${leaf} } }`)) {
        expect(errors).toEqual([
          {
            message: 'Something went wrong on our side.',
            path: ['thing', leaf],
            locations: [{ line: 1, column: 11 }],
            extensions: { code: 'INTERNAL_SERVER_ERROR', reason: 'INTERNAL', requestId: 'request-1' },
          },
        ]);
        expect(unexpectedErrors).toHaveLength(1);
      }
    },
  );
});
