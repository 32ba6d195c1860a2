import { Args, ArgsType, Ctx, Field, FieldResolver, Resolver, Root } from 'type-graphql';
import {
  findCompatibilityScore,
  findViewerMembership,
  listHistory,
  listMembers,
  type GroupChangeView,
  type GroupView,
  type MemberView,
  type ResponseStatus,
  type ScoreView,
} from '../../groups/index.js';
import type { ConnectionPage } from '../../paging/index.js';
import type { RequestContext } from '../context.js';
import { PageArgs } from '../page-args.js';
import { pageRequest, Selection, type PageSelection } from '../page-selection.js';
import { CompatibilityScoreType } from './compatibility-score.type.js';
import { ResponseStatusEnum } from './enums.js';
import { GroupChangeConnection } from './group-change.type.js';
import { GroupType } from './group.type.js';
import { MemberConnection, MemberType } from './member.type.js';

@ArgsType()
class MembersArgs extends PageArgs {
  @Field(() => ResponseStatusEnum, { nullable: true, description: 'Only members with this answer; null for all.' })
  status?: ResponseStatus | null;
}

@ArgsType()
class HistoryArgs extends PageArgs {
  @Field(() => Boolean, { defaultValue: false, description: 'Only the revisions that changed the state.' })
  stateChangesOnly!: boolean;
}

@Resolver(() => GroupType)
export class GroupFieldsResolver {
  @FieldResolver(() => MemberConnection, { description: 'Its members, in the order in which they were invited.' })
  members(
    @Root() group: GroupView,
    @Args(() => MembersArgs) args: MembersArgs,
    @Selection() selection: PageSelection,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<ConnectionPage<MemberView>> {
    return listMembers(groups, actor, group, pageRequest(args, selection));
  }

  @FieldResolver(() => GroupChangeConnection, { description: 'Everything that happened to it, oldest first.' })
  history(
    @Root() group: GroupView,
    @Args(() => HistoryArgs) args: HistoryArgs,
    @Selection() selection: PageSelection,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<ConnectionPage<GroupChangeView>> {
    return listHistory(groups, actor, group, pageRequest(args, selection));
  }

  @FieldResolver(() => MemberType, {
    nullable: true,
    description: "The caller's own place in it; null for those who are in it by other rights.",
  })
  viewerMembership(@Root() group: GroupView, @Ctx() { groups, actor }: RequestContext): Promise<MemberView | null> {
    return findViewerMembership(groups, actor, group);
  }

  @FieldResolver(() => CompatibilityScoreType, {
    nullable: true,
    description: 'The score in force; null for a group that was never scored.',
  })
  compatibilityScore(@Root() group: GroupView, @Ctx() { groups }: RequestContext): Promise<ScoreView | null> {
    return findCompatibilityScore(groups, group);
  }
}
