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

describe('the lists of the schema', () => {
  it('all have a bound that their cost can be told by: a page, or a largest number of entries', () => {
    const unbounded = FIELDS.filter(
      ({ type, field }) =>
        isListOfObjects(field) &&
        !type.name.endsWith('Connection') &&
        !takesFirst(field) &&
        fieldCost(field).maxEntries === null,
    );
    // A list that is new here takes `first`, or declares its maximum length with `@MaxEntries`.
    expect(unbounded.map(({ place }) => place)).toEqual([]);
  });

  it('that are pages all take `first`', () => {
    const connections = FIELDS.filter(({ field }) => String(field.type).replace('!', '').endsWith('Connection'));
    expect(connections.filter(({ field }) => !takesFirst(field)).map(({ place }) => place)).toEqual([]);
    expect(connections.length).toBeGreaterThan(8);
  });

  it('that do not take `first` are these, with so many entries at most', () => {
    const bounded = FIELDS.flatMap(({ place, field }) =>
      fieldCost(field).maxEntries === null ? [] : [[place, fieldCost(field).maxEntries]],
    );
    expect(Object.fromEntries(bounded)).toEqual({
      'InviteToGroupPayload.results': 500,
      'Query.apiKeys': 1_000,
      'RegisterPayload.followUps': 20,
      'Viewer.followUps': 20,
      'Viewer.sessions': 1_000,
    });
  });
});

it('an export costs as much as the records that it holds', () => {
  expect(
    FIELDS.filter(({ field }) => fieldCost(field).own !== 1).map(({ place, field }) => [place, fieldCost(field).own]),
  ).toEqual([['Viewer.export', 10_000]]);
});
