import { Ctx, FieldResolver, Resolver, Root, UseMiddleware } from 'type-graphql';
import type { UserView } from '../../accounts/index.js';
import { getGroup, type GroupView, type MembershipView, type MemberView } from '../../groups/index.js';
import { requireFound } from '../accounts/require-found.js';
import { UserType } from '../accounts/user.type.js';
import type { RequestContext } from '../context.js';
import { GroupType } from './group.type.js';
import { MemberType } from './member.type.js';
import { RequireGroupsReadScope } from './require-groups-read-scope.middleware.js';

@Resolver(() => MemberType)
export class MemberFieldsResolver {
  @FieldResolver(() => UserType, { description: 'Who it is.' })
  async user(@Root() member: MemberView, @Ctx() { accounts }: RequestContext): Promise<UserView> {
    return member.user ?? requireFound(await accounts.loaders.user(member.userId));
  }

  @FieldResolver(() => GroupType, { description: 'The group that this is a place in.' })
  async group(
    @Root() member: MemberView | MembershipView,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<GroupView> {
    return 'group' in member ? member.group : getGroup(groups, actor, member.groupId);
  }

  @FieldResolver(() => UserType, {
    nullable: true,
    description: "Who invited them; null for the creator, and when the inviter's account is gone.",
  })
  @UseMiddleware(RequireGroupsReadScope)
  async invitedBy(@Root() member: MemberView, @Ctx() { accounts }: RequestContext): Promise<UserView | null> {
    return member.invitedById === null ? null : accounts.loaders.user(member.invitedById);
  }
}
