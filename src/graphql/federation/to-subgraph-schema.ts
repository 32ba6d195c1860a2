import { buildSubgraphSchema, printSubgraphSchema } from '@apollo/subgraph';
import {
  extendSchema,
  isUnionType,
  parse,
  printSchema,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLSchema,
} from 'graphql';
import type { RequestContext } from '../context/request-context.js';
import { GroupType } from '../types/group/group.type.js';
import { findEntities, MAX_REPRESENTATIONS } from './find-entities.js';
import { requireGateway } from './require-gateway.js';

type QueryField = GraphQLField<unknown, RequestContext>;

/** What the schema of the service states for the composition of a supergraph. */
const DIRECTIVES = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
  extend type Group @key(fields: "id")
  extend type User @key(fields: "id")
  extend type PageInfo @shareable
`;

/** What every subgraph adds to its queries (Apollo Federation, subgraph specification). */
const SUBGRAPH_FIELDS = `
  "A reference of a gateway to an object of this service: its \`__typename\`, and its key \`id\`."
  scalar _Any

  "An object that other services refer to by its \`id\`."
  union _Entity = Group | User

  "This service, for the composition of a supergraph."
  type _Service {
    "Its schema with the directives of Apollo Federation."
    sdl: String!
  }

  extend type Query {
    """
    For gateways: the objects of these references, in the same order; null in the place of each that does not exist, or
    that the caller may not see.
    """
    _entities(
      "At most ${String(MAX_REPRESENTATIONS)}."
      representations: [_Any!]!
    ): [_Entity]!

    "For gateways: this service, for the composition of a supergraph."
    _service: _Service!
  }
`;

export interface FederationOptions {
  /** Whether callers other than gateways may read the schema. */
  readonly isSchemaPublic: boolean;
}

/** Makes the schema that of a subgraph of Apollo Federation 2. Its own types and fields keep resolvers and policies. */
export function toSubgraphSchema(schema: GraphQLSchema, { isSchemaPublic }: FederationOptions): GraphQLSchema {
  const sdl = printSubgraphSchema(buildSubgraphSchema(parse(printSchema(schema) + DIRECTIVES)));
  const subgraph = extendSchema(schema, parse(SUBGRAPH_FIELDS));
  defineField(subgraph, '_service', {
    extensions: { public: true },
    resolve: async (_, __, context) => {
      if (!isSchemaPublic) await requireGateway(context);
      return { sdl };
    },
  });
  defineField(subgraph, '_entities', {
    extensions: { entriesOf: 'representations', maxEntries: MAX_REPRESENTATIONS },
    resolve: (_, { representations }, context) => findEntities(context, representations),
  });
  defineEntityType(subgraph);
  return subgraph;
}

function defineField(
  schema: GraphQLSchema,
  name: string,
  definition: Pick<
    GraphQLFieldConfig<unknown, RequestContext, { representations: readonly unknown[] }>,
    'resolve' | 'extensions'
  >,
): void {
  const field: QueryField | undefined = schema.getQueryType()?.getFields()[name];
  if (field === undefined) throw new Error(`Schema has no query ${name}`);
  Object.assign(field, definition);
}

/** Synchronous, as graphql-jit (0.8.7) requires. */
function defineEntityType(schema: GraphQLSchema): void {
  const union = schema.getType('_Entity');
  if (!isUnionType(union)) throw new Error('Schema has no union _Entity');
  union.resolveType = (entity: unknown) => (entity instanceof GroupType ? 'Group' : 'User');
}
