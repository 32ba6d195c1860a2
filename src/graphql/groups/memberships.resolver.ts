import { Args, ArgsType, Ctx, Field, FieldResolver, Resolver, Root } from 'type-graphql';
import type { ViewerView } from '../../accounts/index.js';
import { listMemberships, type GroupState, type MemberView, type ResponseStatus } from '../../groups/index.js';
import type { ConnectionPage } from '../../paging/index.js';
import { ViewerType } from '../accounts/viewer.type.js';
import type { RequestContext } from '../context.js';
import { PageArgs } from '../page-args.js';
import { pageRequest, Selection, type PageSelection } from '../page-selection.js';
import { GroupStateEnum, ResponseStatusEnum } from './enums.js';
import { MemberConnection } from './member.type.js';

@ArgsType()
class MembershipsArgs extends PageArgs {
  @Field(() => ResponseStatusEnum, { nullable: true, description: 'Only places with this answer; null for all.' })
  status?: ResponseStatus | null;

  @Field(() => GroupStateEnum, {
    nullable: true,
    description: 'Only places in groups that have this state at this moment; null for all.',
  })
  groupState?: GroupState | null;
}

@Resolver(() => ViewerType)
export class ViewerMembershipsResolver {
  @FieldResolver(() => MemberConnection, {
    description: 'Every place that they have in a group, the newest first. Takes their token.',
  })
  memberships(
    @Root() viewer: ViewerView,
    @Args(() => MembershipsArgs) args: MembershipsArgs,
    @Selection() selection: PageSelection,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<ConnectionPage<MemberView>> {
    return listMemberships(groups, actor, viewer.id, pageRequest(args, selection));
  }
}
