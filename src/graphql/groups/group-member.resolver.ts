import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import {
  findMember,
  whatIf,
  type GroupState,
  type GroupView,
  type MemberView,
  type ResponseStatus,
} from '../../groups/index.js';
import type { RequestContext } from '../context/request-context.js';
import { UUID } from '../leaf-types/scalars.js';
import { GroupStateEnum, ResponseStatusEnum } from '../leaf-types/group-enums.js';
import { GroupType } from './group.type.js';
import { MemberType } from './member.type.js';

@Resolver(() => GroupType)
export class GroupMemberResolver {
  @FieldResolver(() => MemberType, { nullable: true, description: 'One member; null when that user is none.' })
  member(
    @Root() group: GroupView,
    @Arg('userId', () => UUID, { description: 'Which user.' }) userId: string,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<MemberView | null> {
    return findMember(groups, actor, group, userId);
  }

  @FieldResolver(() => GroupStateEnum, {
    description:
      'The state that the group would have if a member answered so; nothing is written. An answer that the group no longer takes leaves the state as it is.',
  })
  whatIf(
    @Root() group: GroupView,
    @Arg('userId', () => UUID, { description: 'Which member.' }) userId: string,
    @Arg('status', () => ResponseStatusEnum, { description: 'The supposed answer.' }) status: ResponseStatus,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<GroupState> {
    return whatIf(groups, actor, group, { userId, status });
  }
}
