import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { getMetadataStorage } from 'type-graphql';
import { buildGraphqlSchema, printedSchema } from '../../../src/graphql/schema.js';

/** The kinds of the parameters of a resolver, as type-graphql reads them for each call. */
function parameterKinds(methodName: string): string[] {
  const { queries, mutations } = getMetadataStorage();
  const resolver = [...queries, ...mutations].find((each) => each.methodName === methodName);
  return (resolver?.params ?? []).toSorted((a, b) => a.index - b.index).map(({ kind }) => kind);
}

describe('readArgumentsDirectly', () => {
  it('leaves no argument of a scalar type to the asynchronous validation', () => {
    buildGraphqlSchema();
    expect(parameterKinds('group')).toEqual(['custom', 'custom', 'context']);
  });

  it('leaves objects to the conversion into their class', () => {
    buildGraphqlSchema();
    expect(parameterKinds('updateMemberStatus')).toContain('arg');
  });

  it('leaves the arguments of a schema that is built again', () => {
    expect(printedSchema(buildGraphqlSchema())).toBe(printedSchema(buildGraphqlSchema()));
    expect(
      buildGraphqlSchema()
        .getQueryType()
        ?.getFields()
        .group?.args.map(({ name }) => name),
    ).toEqual(['id']);
  });
});
