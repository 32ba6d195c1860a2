import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  type GraphQLFieldConfig,
  type GraphQLOutputType,
} from 'graphql';
import { NotFoundError } from '../../../src/errors/index.js';
import { DateTime, UUID } from '../../../src/graphql/leaf-types/scalars.js';

const ENUM = new GraphQLEnumType({ name: 'Colour', values: { RED: {}, BLUE: { value: 'b' } } });

const INNER: GraphQLInputObjectType = new GraphQLInputObjectType({
  name: 'Inner',
  fields: () => ({
    need: { type: new GraphQLNonNull(GraphQLString) },
    int: { type: GraphQLInt },
    byDefault: { type: GraphQLInt, defaultValue: 7 },
    neverNull: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 3 },
    list: { type: new GraphQLList(new GraphQLNonNull(GraphQLInt)) },
    colour: { type: ENUM },
    at: { type: DateTime },
  }),
});

const ENDLESS: GraphQLInputObjectType = new GraphQLInputObjectType({
  name: 'Endless',
  fields: () => ({ int: { type: GraphQLInt }, deeper: { type: ENDLESS } }),
});

/** The types of the arguments of `Thing.given`, by argument name. */
export const ARGUMENT_TYPES = {
  int: 'Int',
  neverNull: 'Int!',
  text: 'String',
  list: '[Int]',
  inner: 'Inner',
  endless: 'Endless',
  colour: 'Colour',
  id: 'ID',
  uuid: 'UUID',
  at: 'DateTime',
  float: 'Float',
  bool: 'Boolean',
} as const;

const SHARED = new GraphQLInterfaceType({
  name: 'Named',
  fields: { name: { type: GraphQLString } },
  resolveType: () => 'Thing',
});
const EITHER = new GraphQLUnionType({ name: 'Either', types: () => [THING], resolveType: () => 'Thing' });

type Resolve = (source: unknown, args: Readonly<Record<string, unknown>>) => unknown;

function rejectAccess(): never {
  throw new NotFoundError('GROUP_NOT_FOUND');
}

function field(type: GraphQLOutputType, resolve: Resolve): GraphQLFieldConfig<unknown, unknown> {
  return { type, resolve };
}

/** Fields for all ways in which a field can succeed or fail. */
const LEAVES = {
  name: field(GraphQLString, () => 'a name'),
  later: field(GraphQLString, () => Promise.resolve('later')),
  sure: field(new GraphQLNonNull(GraphQLString), () => 'sure'),
  missing: field(new GraphQLNonNull(GraphQLString), () => null),
  refused: field(GraphQLString, rejectAccess),
  refusedLater: field(GraphQLString, async () => rejectAccess()),
  refusedNeverNull: field(new GraphQLNonNull(GraphQLString), async () => rejectAccess()),
  returnsError: field(GraphQLString, () => new NotFoundError('GROUP_NOT_FOUND')),
  bug: field(GraphQLString, () => {
    throw new Error('canary');
  }),
  bugArgument: field(GraphQLString, () => {
    throw new Error('Argument "canary" of required type');
  }),
  wrongInt: field(GraphQLInt, () => 'canary'),
  notFinite: field(GraphQLFloat, () => NaN),
  wrongColour: field(ENUM, () => 'canary'),
  colour: field(ENUM, () => 'b'),
  date: field(DateTime, () => new Date(0)),
  wrongDate: field(DateTime, () => 'canary'),
  list: field(new GraphQLList(GraphQLInt), () => [
    1,
    null,
    'canary',
    Promise.resolve(2),
    Promise.reject(new NotFoundError('GROUP_NOT_FOUND')),
  ]),
  listNeverNull: field(new GraphQLList(new GraphQLNonNull(GraphQLInt)), () => [1, null]),
  noList: field(new GraphQLList(GraphQLInt), () => 5),
  set: field(new GraphQLList(GraphQLInt), () => new Set([1, 2])),
} as const;

export const LEAF_NAMES = Object.keys(LEAVES);

const THING: GraphQLObjectType = new GraphQLObjectType({
  name: 'Thing',
  interfaces: [SHARED],
  fields: () => ({
    ...LEAVES,
    self: field(THING, () => ({})),
    selfNeverNull: field(new GraphQLNonNull(THING), () => Promise.resolve({})),
    things: field(new GraphQLList(THING), () => [{}, {}]),
    thingsNeverNull: field(new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(THING))), () =>
      Promise.resolve([{}, {}]),
    ),
    shared: field(SHARED, () => ({})),
    either: field(EITHER, () => ({})),
    given: {
      type: GraphQLString,
      args: {
        int: { type: GraphQLInt },
        neverNull: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 100 },
        text: { type: GraphQLString, defaultValue: 'some' },
        list: { type: new GraphQLList(GraphQLInt) },
        inner: { type: INNER },
        endless: { type: ENDLESS },
        colour: { type: ENUM },
        id: { type: GraphQLID },
        uuid: { type: UUID },
        at: { type: DateTime },
        float: { type: GraphQLFloat },
        bool: { type: GraphQLBoolean },
      },
      resolve: (_, args: unknown) => toSortedJson(args),
    },
  }),
});

/** The arguments as text with sorted keys, because the executors pass them in different orders. */
function toSortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (Object.is(inner, -0)) return '-0';
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/**
 * Creates a schema for the comparison of executors.
 *
 * @param done called with the name of each mutation that runs
 */
export function sampleSchema(done: (name: string) => void = () => undefined): GraphQLSchema {
  const step = (name: string, run: () => unknown): GraphQLFieldConfig<unknown, unknown> =>
    field(new GraphQLNonNull(THING), async () => {
      await new Promise(setImmediate);
      done(name);
      return run();
    });
  return new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: {
        thing: field(THING, () => ({})),
        thingNeverNull: field(new GraphQLNonNull(THING), () => Promise.resolve({})),
      },
    }),
    mutation: new GraphQLObjectType({
      name: 'Mutation',
      fields: {
        first: step('first', () => ({})),
        second: step('second', () => ({})),
        failing: step('failing', rejectAccess),
      },
    }),
    types: [THING],
  });
}
