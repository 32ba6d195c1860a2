import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { Extensions } from 'type-graphql';
import type { RequestContext } from '../context/request-context.js';
import { objectFields } from '../documents/object-fields.js';

type Resolve = GraphQLFieldResolver<unknown, RequestContext>;

/**
 * Declares that the source object may have the value of the field already. Then the resolver is not called.
 *
 * Reason: a call for each row of a page costs more than all else that is done with the row. Not for a field with
 * middleware, which would not run either.
 */
export function Preloaded(): ReturnType<typeof Extensions> {
  return Extensions({ preloaded: true });
}

/** Changes the resolvers of preloaded fields so that they return the value of the source object if it has one. */
export function readPreloadedValues(schema: GraphQLSchema): GraphQLSchema {
  for (const field of objectFields(schema)) {
    if (field.extensions.preloaded === true && field.resolve) field.resolve = valueOr(field.name, field.resolve);
  }
  return schema;
}

/** @param resolve called for a source object without the value */
function valueOr(name: string, resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the source of a field is an object
    const value = (source as Readonly<Record<string, unknown>>)[name];
    return value === undefined ? resolve(source, args, context, info) : value;
  };
}
