import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { requireAuthenticated } from '../../../../accounts/index.js';
import { FieldErrorCollector } from '../../../../errors/index.js';
import type { RequestContext } from '../../../context/request-context.js';
import { EntriesOf, MaxEntries } from '../../../policies/cost.js';
import { NodeType } from '../node.type.js';
import { findNode } from './find-node.js';

const MAX_IDS = 100;

@Resolver()
export class NodeResolver {
  @Query(() => NodeType, {
    nullable: true,
    description:
      'The object with this id: a user, a group, a member, a revision, a score or an invitation. Null when there is ' +
      'none, or none that the caller may see.',
  })
  async node(
    @Arg('id', () => ID, { description: 'Its `id`, exactly as it was answered.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<object | null> {
    requireAuthenticated(context.actor);
    return findNode(context, id);
  }

  @MaxEntries(MAX_IDS)
  @EntriesOf('ids')
  @Query(() => [NodeType], {
    nullable: 'items',
    description: 'The objects with these ids, in the same order; null in the place of each that `node` has none for.',
  })
  async nodes(
    @Arg('ids', () => [ID], { description: 'At most 100.' }) ids: string[],
    @Ctx() context: RequestContext,
  ): Promise<(object | null)[]> {
    requireAuthenticated(context.actor);
    new FieldErrorCollector().check('ids', ids.length > MAX_IDS ? `must be at most ${MAX_IDS} ids` : null).throwIfAny();
    return Promise.all(ids.map((id) => findNode(context, id)));
  }
}
