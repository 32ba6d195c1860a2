import { UseMiddleware, type MiddlewareFn } from 'type-graphql';
import { requireAuthenticated } from '../../accounts/index.js';
import { requireReadScope } from '../../groups/index.js';
import type { RequestContext } from '../context/request-context.js';

/**
 * Requires the scope `groups:read` of an API key that selects the field.
 *
 * Reason: a key without it may write, and the payload of its mutation contains the group. Of that it may read only the
 * id, the state, the counts, the score and the member that it changed.
 */
export function RequiresGroupsReadScope(): ReturnType<typeof UseMiddleware> {
  return UseMiddleware(requireScope);
}

const requireScope: MiddlewareFn<RequestContext> = ({ context }, next) => {
  requireReadScope(requireAuthenticated(context.actor));
  return next();
};
