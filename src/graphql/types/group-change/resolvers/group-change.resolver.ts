import { Args, ArgsType, Ctx, Field, FieldResolver, ID, Int, Resolver, Root, Subscription } from 'type-graphql';
import type { UserView } from '../../../../accounts/index.js';
import { getGroup, watchGroup, type GroupChangeView, type GroupView } from '../../../../groups/index.js';
import type { RequestContext } from '../../../context/request-context.js';
import { UUID } from '../../../leaf-types/scalars.js';
import { encodeNodeId } from '../../../node-ids/node-id.js';
import { GroupType } from '../../group/group.type.js';
import { UserType } from '../../user/user.type.js';
import { GroupChangeType } from '../group-change.type.js';

@ArgsType()
class GroupChangedArgs {
  @Field(() => UUID, { description: 'Which group.' })
  groupId!: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'The last revision that the caller has seen: whatever followed it comes first. 0 for everything; null to ' +
      'begin with the next change.',
  })
  afterRevision?: number | null;
}

interface Beginning {
  readonly args: GroupChangedArgs;
  readonly context: RequestContext;
}

@Resolver(() => GroupChangeType)
export class GroupChangeResolver {
  @FieldResolver(() => ID, { description: 'Identifies the revision of its group. Opaque.' })
  id(@Root() { groupId, revision }: GroupChangeView): string {
    return encodeNodeId({ kind: 'change', groupId, revision });
  }

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

  @Subscription(() => GroupChangeType, {
    description:
      'What happens to a group that the caller may read, in the order of its revisions, each once and without a gap. ' +
      "It ends when the token does, and when the group is no longer the caller's to see.",
    subscribe: ({ args, context }: Beginning) => watchGroup(context.groups, context, args),
  })
  groupChanged(
    @Root() change: GroupChangeView,
    @Args(() => GroupChangedArgs) _args: GroupChangedArgs,
  ): GroupChangeView {
    return change;
  }
}
