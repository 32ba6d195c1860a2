import { describe, expect, it } from '@jest/globals';
import { isObjectType, type GraphQLField } from 'graphql';
import { isListOfObjects } from '../../../src/graphql/documents/is-list-of-objects.js';
import { fieldCost } from '../../../src/graphql/policies/cost.js';
import { buildGraphqlSchema } from '../../../src/graphql/schema.js';

const OBJECTS = Object.values(buildGraphqlSchema().getTypeMap())
  .filter((type) => isObjectType(type))
  .filter(({ name }) => !name.startsWith('__'));
const FIELDS = OBJECTS.flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({ type, field, place: `${type.name}.${field.name}` })),
);

function takesFirst({ args }: GraphQLField<unknown, unknown>): boolean {
  return args.some(({ name }) => name === 'first');
}

describe('lists of the schema', () => {
  it('take `first`, are in a connection or declare @MaxEntries', () => {
    const unbounded = FIELDS.filter(
      ({ type, field }) =>
        isListOfObjects(field) &&
        !type.name.endsWith('Connection') &&
        !takesFirst(field) &&
        fieldCost(field).maxEntries === null,
    );
    expect(unbounded.map(({ place }) => place)).toEqual([]);
  });

  it('take `first` when they are connections', () => {
    const connections = FIELDS.filter(({ field }) => String(field.type).replace('!', '').endsWith('Connection'));
    expect(connections.filter(({ field }) => !takesFirst(field)).map(({ place }) => place)).toEqual([]);
    expect(connections.length).toBeGreaterThan(8);
  });

  it('declare these maximum lengths without `first`', () => {
    const bounded = FIELDS.flatMap(({ place, field }) =>
      fieldCost(field).maxEntries === null ? [] : [[place, fieldCost(field).maxEntries]],
    );
    expect(Object.fromEntries(bounded)).toEqual({
      'InviteToGroupPayload.results': 500,
      'Query.apiKeys': 1_000,
      'Query.nodes': 100,
      'RegisterPayload.followUps': 20,
      'Viewer.followUps': 20,
      'Viewer.sessions': 1_000,
    });
  });
});

it('Viewer.export costs 10,000, for 2,000 records of 5 fields', () => {
  expect(
    FIELDS.filter(({ field }) => fieldCost(field).own !== 1).map(({ place, field }) => [place, fieldCost(field).own]),
  ).toEqual([['Viewer.export', 10_000]]);
});
