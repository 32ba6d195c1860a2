import { Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { UserView } from '../../../../accounts/index.js';
import { getGroup, type GroupView, type MemberView } from '../../../../groups/index.js';
import type { RequestContext } from '../../../context/request-context.js';
import { encodeNodeId } from '../../../node-ids/node-id.js';
import { Preloaded } from '../../../policies/preloaded.js';
import { RequiresGroupsReadScope } from '../../../policies/requires-groups-read-scope.js';
import { GroupType } from '../../group/group.type.js';
import { requireFound } from '../../user/require-found.js';
import { UserType } from '../../user/user.type.js';
import { MemberType } from '../member.type.js';

@Resolver(() => MemberType)
export class MemberResolver {
  @FieldResolver(() => ID, {
    description: 'Identifies the place: the same again for a user who leaves the group and comes back. Opaque.',
  })
  id(@Root() { groupId, userId }: MemberView): string {
    return encodeNodeId({ kind: 'member', groupId, userId });
  }

  @Preloaded()
  @FieldResolver(() => UserType, { description: 'Who it is.' })
  async user(@Root() { userId }: MemberView, @Ctx() { accounts }: RequestContext): Promise<UserView> {
    return requireFound(await accounts.loaders.user(userId));
  }

  @Preloaded()
  @FieldResolver(() => GroupType, { description: 'The group that this is a place in.' })
  group(@Root() { groupId }: MemberView, @Ctx() { groups, actor }: RequestContext): Promise<GroupView> {
    return getGroup(groups, actor, groupId);
  }

  @FieldResolver(() => UserType, {
    nullable: true,
    description: "Who invited them; null for the creator, and when the inviter's account is gone.",
  })
  @RequiresGroupsReadScope()
  async invitedBy(@Root() member: MemberView, @Ctx() { accounts }: RequestContext): Promise<UserView | null> {
    return member.invitedById === null ? null : accounts.loaders.user(member.invitedById);
  }
}
