import { defaultFieldResolver, isObjectType, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import { OperationPace } from '../../pacing/index.js';
import type { RequestContext } from '../context/request-context.js';
import { isListOfObjects } from '../documents/is-list-of-objects.js';

type Resolve = GraphQLFieldResolver<unknown, RequestContext>;

/** Shorter lists are worked on in one go. */
const MIN_PACED_ENTRIES = 10;

/** Has the lists of paced operations worked on entry by entry, in slices. */
export function paceLists(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (isListOfObjects(field)) field.resolve = paced(field.resolve ?? defaultFieldResolver);
    }
  }
  return schema;
}

function paced(resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    const result: unknown = resolve(source, args, context, info);
    const pace = OperationPace.current;
    if (pace === undefined) return result;
    return result instanceof Promise ? result.then((list: unknown) => inTurns(pace, list)) : inTurns(pace, result);
  };
}

function inTurns(pace: OperationPace, list: unknown): unknown {
  return Array.isArray(list) && list.length >= MIN_PACED_ENTRIES
    ? list.map((entry: unknown) => pace.turn(entry))
    : list;
}
