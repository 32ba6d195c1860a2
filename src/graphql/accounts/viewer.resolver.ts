import { Ctx, Extensions, FieldResolver, Resolver, Root } from 'type-graphql';
import { requireSelf, type FollowUpView, type ViewerView } from '../../accounts/index.js';
import type { RequestContext } from '../context/request-context.js';
import { atMost } from '../policies/cost.js';
import { FollowUpType, MAX_FOLLOW_UPS } from './follow-up.type.js';
import { ViewerType } from './viewer.type.js';

@Resolver(() => ViewerType)
export class ViewerResolver {
  @Extensions(atMost(MAX_FOLLOW_UPS))
  @FieldResolver(() => [FollowUpType], {
    description: 'The tasks that their registration queued, with how far they have come.',
  })
  async followUps(@Root() viewer: ViewerView, @Ctx() { accounts, actor }: RequestContext): Promise<FollowUpView[]> {
    return accounts.loaders.followUps(requireSelf(actor, viewer.id).userId);
  }
}
