import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { UserView } from '../../accounts/index.js';
import { getGroup, type GroupChangeView, type GroupView } from '../../groups/index.js';
import { UserType } from '../accounts/user.type.js';
import type { RequestContext } from '../context/request-context.js';
import { GroupChangeType } from './group-change.type.js';
import { GroupType } from './group.type.js';

@Resolver(() => GroupChangeType)
export class GroupChangeFieldsResolver {
  @FieldResolver(() => UserType, {
    nullable: true,
    description: 'Who did it; null for a program, for the clock, and when the account is gone.',
  })
  async actor(@Root() change: GroupChangeView, @Ctx() { accounts }: RequestContext): Promise<UserView | null> {
    return change.actorId === null ? null : accounts.loaders.user(change.actorId);
  }

  @FieldResolver(() => UserType, {
    nullable: true,
    description: 'Whom it concerns; null when it concerns the group as a whole, and when the account is gone.',
  })
  async subject(@Root() change: GroupChangeView, @Ctx() { accounts }: RequestContext): Promise<UserView | null> {
    return change.subjectId === null ? null : accounts.loaders.user(change.subjectId);
  }

  @FieldResolver(() => GroupType, { description: 'The group, as it is now.' })
  group(@Root() change: GroupChangeView, @Ctx() { groups, actor }: RequestContext): Promise<GroupView> {
    return getGroup(groups, actor, change.groupId);
  }
}
