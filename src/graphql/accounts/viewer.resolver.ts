import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { type FollowUpView, requireSelf, type ViewerView } from '../../accounts/index.js';
import type { RequestContext } from '../context.js';
import { FollowUpType } from './follow-up.type.js';
import { ViewerType } from './viewer.type.js';

@Resolver(() => ViewerType)
export class ViewerResolver {
  @FieldResolver(() => [FollowUpType], { description: 'The tasks that their registration queued, with how far they have come.' })
  async followUps(@Root() viewer: ViewerView, @Ctx() { accounts, actor }: RequestContext): Promise<FollowUpView[]> {
    return accounts.reads.followUps(requireSelf(actor, viewer.id).userId);
  }
}
