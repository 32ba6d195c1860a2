import type { MiddlewareFn } from 'type-graphql';
import { requireAuthenticated } from '../../accounts/index.js';
import { requireReadScope } from '../../groups/index.js';
import type { RequestContext } from '../context/request-context.js';

/**
 * Guards what a program may not read of a group in the answer to its own write: that shows the group's id,
 * state, counts and score, and the member it changed; the rest takes the scope to read groups.
 */
export const RequireGroupsReadScope: MiddlewareFn<RequestContext> = ({ context }, next) => {
  requireReadScope(requireAuthenticated(context.actor));
  return next();
};
