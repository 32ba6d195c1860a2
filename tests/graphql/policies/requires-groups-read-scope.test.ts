import { describe, expect, it } from '@jest/globals';
import { buildSchema, execute, isObjectType, parse, type GraphQLSchema } from 'graphql';
import { requireDeclaredScopes } from '../../../src/graphql/policies/requires-groups-read-scope.js';

/** A schema whose field `name` requires the scope. */
function guardedSchema(): GraphQLSchema {
  const schema = buildSchema('type Query { name: String, state: String }');
  const query = schema.getType('Query');
  if (!isObjectType(query)) throw new Error('The schema has no type Query');
  Object.assign(query.getFields().name ?? {}, { extensions: { requiresGroupsReadScope: true } });
  return requireDeclaredScopes(schema);
}

/** Reads both fields as an actor. */
function readAs(actor: object): unknown {
  const rootValue = { name: 'Choir', state: 'FORMING' };
  const document = parse('{ name state }');
  return execute({ schema: guardedSchema(), document, rootValue, contextValue: { actor } });
}

describe('requireDeclaredScopes', () => {
  it.each([{ kind: 'user' }, { kind: 'service', scopes: ['groups:read'] }])('returns the property to %p', (actor) => {
    expect(readAs(actor)).toEqual({ data: { name: 'Choir', state: 'FORMING' } });
  });

  it('refuses it to a key without the scope, and returns the other fields', () => {
    const result = readAs({ kind: 'service', scopes: ['responses:write'] });
    expect(result).toMatchObject({
      data: { name: null, state: 'FORMING' },
      errors: [{ path: ['name'], originalError: { reason: 'SCOPE_REQUIRED' } }],
    });
  });
});
