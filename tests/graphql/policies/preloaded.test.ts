import { describe, expect, it } from '@jest/globals';
import { buildSchema, execute, isObjectType, parse, type GraphQLSchema } from 'graphql';
import { readPreloadedValues } from '../../../src/graphql/policies/preloaded.js';

/** A schema with the preloaded field `owner`, whose resolver returns 'resolved'. `calls` counts its calls. */
function ownerSchema(): { readonly schema: GraphQLSchema; readonly calls: unknown[] } {
  const schema = buildSchema('type Query { owner: String, other: String }');
  const query = schema.getType('Query');
  const calls: unknown[] = [];
  if (!isObjectType(query)) throw new Error('The schema has no type Query');
  const { owner, other } = query.getFields();
  const resolve = (source: unknown): string => {
    calls.push(source);
    return 'resolved';
  };
  Object.assign(owner ?? {}, { resolve, extensions: { preloaded: true } });
  Object.assign(other ?? {}, { resolve });
  return { schema: readPreloadedValues(schema), calls };
}

function run(schema: GraphQLSchema, rootValue: object): unknown {
  return execute({ schema, document: parse('{ owner other }'), rootValue, contextValue: {} });
}

describe('readPreloadedValues', () => {
  it.each([['an owner'], [null]])('returns %p of the source object without a call of the resolver', (owner) => {
    const { schema, calls } = ownerSchema();
    expect(run(schema, { owner, other: 'ignored' })).toEqual({ data: { owner, other: 'resolved' } });
    expect(calls).toHaveLength(1);
  });

  it('calls the resolver when the source object has no value', () => {
    const { schema } = ownerSchema();
    expect(run(schema, {})).toEqual({ data: { owner: 'resolved', other: 'resolved' } });
  });
});
