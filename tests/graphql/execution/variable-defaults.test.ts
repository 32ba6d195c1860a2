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
  if (operation === null || operation === undefined) throw new Error('Document has no operation');
  return { document, operation };
}

const SOURCE =
  'query ($input: Outer!, $mood: Mood! = BAD, $first: Int! = 7) { echo(input: $input, mood: $mood, first: $first) }';

describe('compileVariableDefaults', () => {
  it.each([
    [{ input: {} }],
    [{ input: { mood: 'GOOD', plain: null } }],
    [{ input: { inner: {}, many: [{}, { mood: 'BAD', note: 'x' }] }, first: 1 }],
    [{ input: { inner: null, many: {} }, mood: 'GOOD' }],
  ])('fills in the defaults of graphql-js for %j', (variables) => {
    const { operation } = operationOf(SOURCE);
    const fillDefaults = compileVariableDefaults(schema, operation);
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
    expect(
      getVariableValues(schema, operation.variableDefinitions ?? [], fillDefaults?.(variables) ?? {}).coerced,
    ).toEqual(coerced);
    expect(fillDefaults?.(variables)).toMatchObject({ first: coerced?.['first'], mood: coerced?.['mood'] });
  });

  it('keeps invalid values, which the engine rejects', () => {
    const fillDefaults = compileVariableDefaults(schema, operationOf(SOURCE).operation);
    expect(fillDefaults?.({ input: 'text', first: null })).toEqual({ input: 'text', first: null, mood: 'BAD' });
    expect(fillDefaults?.({ input: { many: [null, 5], count: null } })).toMatchObject({
      input: { many: [null, 5], count: null, mood: 'BAD' },
    });
  });

  it('returns null when an operation has no defaults', () => {
    expect(compileVariableDefaults(schema, operationOf('query ($note: String) { __typename }').operation)).toBeNull();
  });

  it('is needed while graphql-jit rejects an absent value that has a default', async () => {
    const { document } = operationOf('query ($input: Outer!) { echo(input: $input) }');
    const compiled = compileQuery(schema, document);
    if (!isCompiledQuery(compiled)) throw new Error('not compiled');
    const { errors } = await compiled.query({}, {}, { input: {} });
    expect(errors?.map(({ message }) => message).join()).toContain('was not provided');
  });
});
