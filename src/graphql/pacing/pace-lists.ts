import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import { PacedOperation } from '../../async/pacing.js';
import type { RequestContext } from '../context/request-context.js';
import { isListOfObjects } from '../documents/is-list-of-objects.js';
import { objectFields } from '../documents/object-fields.js';

type Resolve = GraphQLFieldResolver<unknown, RequestContext>;

/** Shorter lists are executed in one step. */
const MIN_PACED_ENTRIES = 10;

/** Changes the resolvers of lists of objects so that a paced operation executes their entries in slices. */
export function paceLists(schema: GraphQLSchema): GraphQLSchema {
  for (const field of objectFields(schema)) {
    if (isListOfObjects(field)) field.resolve = paced(field.resolve ?? defaultFieldResolver);
  }
  return schema;
}

function paced(resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    const result: unknown = resolve(source, args, context, info);
    const operation = PacedOperation.current;
    if (operation === undefined) return result;
    return result instanceof Promise
      ? result.then((list: unknown) => resolveInSlices(operation, list))
      : resolveInSlices(operation, result);
  };
}

function resolveInSlices(operation: PacedOperation, list: unknown): unknown {
  return Array.isArray(list) && list.length >= MIN_PACED_ENTRIES
    ? list.map((entry: unknown) => operation.resolveInSlice(entry))
    : list;
}
