import { Args, ArgsType, Field, Int, Resolver, Root, Subscription } from 'type-graphql';
import { watchGroup, type GroupChangeView } from '../../groups/index.js';
import type { RequestContext } from '../context/request-context.js';
import { UUID } from '../leaf-types/scalars.js';
import { GroupChangeType } from './group-change.type.js';

@ArgsType()
class GroupChangedArgs {
  @Field(() => UUID, { description: 'Which group.' })
  groupId!: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'The last revision that the caller has seen: whatever followed it comes first. 0 for everything; null to begin with the next change.',
  })
  afterRevision?: number | null;
}

interface Beginning {
  readonly args: GroupChangedArgs;
  readonly context: RequestContext;
}

@Resolver()
export class GroupSubscriptionResolver {
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
