import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import {
  findCompatibilityScore,
  findMember,
  findViewerMembership,
  getGroup,
  listGroupInvitations,
  listHistory,
  listMembers,
  listScoreHistory,
  whatIf,
  type GroupChangeView,
  type GroupSelection,
  type GroupState,
  type GroupView,
  type InvitationView,
  type MemberView,
  type ResponseStatus,
  type ScoreView,
} from '../../../../groups/index.js';
import type { ConnectionPage } from '../../../../paging/index.js';
import { PageArgs } from '../../../connections/page-args.js';
import { pageRequest, Selection, type PageSelection } from '../../../connections/page-selection.js';
import type { RequestContext } from '../../../context/request-context.js';
import { GroupStateEnum, ResponseStatusEnum } from '../../../leaf-types/group-enums.js';
import { UUID } from '../../../leaf-types/scalars.js';
import { Preloaded } from '../../../policies/preloaded.js';
import {
  CompatibilityScoreConnection,
  CompatibilityScoreType,
} from '../../compatibility-score/compatibility-score.type.js';
import { GroupChangeConnection } from '../../group-change/group-change.type.js';
import { InvitationConnection } from '../../invitation/invitation.type.js';
import { MemberConnection, MemberType } from '../../member/member.type.js';
import { GroupType } from '../group.type.js';
import { SelectedOfGroup } from './group-selection.js';

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
export class GroupResolver {
  @Query(() => GroupType, {
    description: 'A group that the caller is in; for administrators and programs that may read groups, any.',
  })
  group(
    @Arg('id', () => UUID, { description: 'Which group.' }) id: string,
    @SelectedOfGroup() selection: GroupSelection,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<GroupView> {
    return getGroup(groups, actor, id, selection);
  }

  @FieldResolver(() => MemberConnection, { description: 'Its members, in the order in which they were invited.' })
  members(
    @Root() group: GroupView,
    @Args(() => MembersArgs) args: MembersArgs,
    @Selection() selection: PageSelection,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<ConnectionPage<MemberView>> {
    return listMembers(groups, actor, group, pageRequest(args, selection));
  }

  @FieldResolver(() => MemberType, { nullable: true, description: 'One member; null when that user is none.' })
  member(
    @Root() group: GroupView,
    @Arg('userId', () => UUID, { description: 'Which user.' }) userId: string,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<MemberView | null> {
    return findMember(groups, actor, group, userId);
  }

  @FieldResolver(() => MemberType, {
    nullable: true,
    description: "The caller's own place in it; null for those who are in it by other rights.",
  })
  viewerMembership(@Root() group: GroupView, @Ctx() { groups, actor }: RequestContext): Promise<MemberView | null> {
    return findViewerMembership(groups, actor, group);
  }

  @FieldResolver(() => GroupStateEnum, {
    description:
      'The state that the group would have if a member answered so; nothing is written. An answer that the group no ' +
      'longer takes leaves the state as it is.',
  })
  whatIf(
    @Root() group: GroupView,
    @Arg('userId', () => UUID, { description: 'Which member.' }) userId: string,
    @Arg('status', () => ResponseStatusEnum, { description: 'The supposed answer.' }) status: ResponseStatus,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<GroupState> {
    return whatIf(groups, actor, group, { userId, status });
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

  @Preloaded()
  @FieldResolver(() => CompatibilityScoreType, {
    nullable: true,
    description: 'The score in force; null for a group that was never scored.',
  })
  compatibilityScore(@Root() group: GroupView, @Ctx() { groups }: RequestContext): Promise<ScoreView | null> {
    return findCompatibilityScore(groups, group);
  }

  @FieldResolver(() => CompatibilityScoreConnection, {
    description: 'Every score that was written for it, oldest first; the last one is in force.',
  })
  scoreHistory(
    @Root() group: GroupView,
    @Args(() => PageArgs) args: PageArgs,
    @Selection() selection: PageSelection,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<ConnectionPage<ScoreView>> {
    return listScoreHistory(groups, actor, group, pageRequest(args, selection));
  }

  @FieldResolver(() => InvitationConnection, {
    nullable: true,
    description:
      'The invitations without an answer, expired ones among them; null for all but owners and administrators.',
  })
  invitations(
    @Root() group: GroupView,
    @Args(() => PageArgs) args: PageArgs,
    @Selection() selection: PageSelection,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<ConnectionPage<InvitationView> | null> {
    return listGroupInvitations(groups, actor, group, pageRequest(args, selection));
  }
}
