import type { MiddlewareFn } from 'type-graphql';
import { requireKnown } from '../../accounts/index.js';
import { requireMayRead } from '../../groups/index.js';
import type { RequestContext } from '../context.js';

/**
 * Guards what a program may not read of a group in the answer to its own write: that shows the group's id,
 * state, counts and score, and the member it changed; the rest takes the scope to read groups.
 */
export const ReadsGroups: MiddlewareFn<RequestContext> = ({ context }, next) => {
  requireMayRead(requireKnown(context.actor));
  return next();
};
