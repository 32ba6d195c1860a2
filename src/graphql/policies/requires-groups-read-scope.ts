import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import { Extensions } from 'type-graphql';
import { requireAuthenticated } from '../../accounts/index.js';
import { requireReadScope } from '../../groups/index.js';
import type { RequestContext } from '../context/request-context.js';
import { objectFields } from '../documents/object-fields.js';

type Resolve = GraphQLFieldResolver<unknown, RequestContext>;

/**
 * Requires the scope `groups:read` of an API key that selects the field.
 *
 * Reason: a key without it may write, and the payload of its mutation contains the group. Of that it may read only the
 * id, the state, the counts, the score and the member that it changed.
 */
export function RequiresGroupsReadScope(): ReturnType<typeof Extensions> {
  return Extensions({ requiresGroupsReadScope: true });
}

/** Makes the resolvers of the declared fields check the scope first. Unlike middleware, they stay synchronous. */
export function requireDeclaredScopes(schema: GraphQLSchema): GraphQLSchema {
  for (const field of objectFields(schema)) {
    if (field.extensions.requiresGroupsReadScope !== true) continue;
    field.resolve = afterScopeCheck(field.resolve ?? defaultFieldResolver);
  }
  return schema;
}

function afterScopeCheck(resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    requireReadScope(requireAuthenticated(context.actor));
    return resolve(source, args, context, info);
  };
}
