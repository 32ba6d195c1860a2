import { describe, expect, it } from '@jest/globals';
import { buildSchema, getOperationAST, getVariableValues, parse } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { compileVariableDefaults } from '../../../src/graphql/execution/variable-defaults.js';

const schema = buildSchema(`
  enum Mood { GOOD BAD }
  input Inner { mood: Mood! = GOOD, note: String }
  input Outer { mood: Mood! = BAD, count: Int! = 3, inner: Inner, many: [Inner!], plain: String }
  type Query { echo(input: Outer, mood: Mood! = GOOD, first: Int! = 100): String }`);

function operationOf(source: string) {
  const document = parse(source);
  const operation = getOperationAST(document);
  if (operation === null || operation === undefined) throw new Error('no operation');
  return { document, operation };
}

const SOURCE =
  'query ($input: Outer!, $mood: Mood! = BAD, $first: Int! = 7) { echo(input: $input, mood: $mood, first: $first) }';

describe('what a request leaves out', () => {
  it.each([
    [{ input: {} }],
    [{ input: { mood: 'GOOD', plain: null } }],
    [{ input: { inner: {}, many: [{}, { mood: 'BAD', note: 'x' }] }, first: 1 }],
    [{ input: { inner: null, many: {} }, mood: 'GOOD' }],
  ])('is filled in as graphql-js does it: %j', (variables) => {
    const { operation } = operationOf(SOURCE);
    const complete = compileVariableDefaults(schema, operation);
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
    expect(getVariableValues(schema, operation.variableDefinitions ?? [], complete?.(variables) ?? {}).coerced).toEqual(
      coerced,
    );
    expect(complete?.(variables)).toMatchObject({ first: coerced?.['first'], mood: coerced?.['mood'] });
  });

  it('leaves alone what does not fit, for the engine to refuse', () => {
    const complete = compileVariableDefaults(schema, operationOf(SOURCE).operation);
    expect(complete?.({ input: 'text', first: null })).toEqual({ input: 'text', first: null, mood: 'BAD' });
    expect(complete?.({ input: { many: [null, 5], count: null } })).toMatchObject({
      input: { many: [null, 5], count: null, mood: 'BAD' },
    });
  });

  it('costs nothing where there are no defaults', () => {
    expect(compileVariableDefaults(schema, operationOf('query ($note: String) { __typename }').operation)).toBeNull();
  });

  it('is what graphql-jit takes for missing: once this fails, the filling in can go', async () => {
    const { document } = operationOf('query ($input: Outer!) { echo(input: $input) }');
    const compiled = compileQuery(schema, document);
    if (!isCompiledQuery(compiled)) throw new Error('not compiled');
    const { errors } = await compiled.query({}, {}, { input: {} });
    expect(errors?.map(({ message }) => message).join()).toContain('was not provided');
  });
});
