import { Args, ArgsType, Ctx, Field, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { type GroupChangePreview, type GroupView } from '../../../../groups/index.js';
import { DEFAULT_PAGE_SIZE } from '../../../../paging/index.js';
import { countDeletionEffects, listBlockingGroups, listChangingGroups } from '../../../../person-lifecycle/index.js';
import type { RequestContext } from '../../../context/request-context.js';
import { GroupType } from '../../group/group.type.js';
import { DeletionPreviewType, GroupChangePreviewType } from '../deletion-preview.type.js';

@ArgsType()
class FirstArgs {
  @Field(() => Int, {
    nullable: true,
    defaultValue: DEFAULT_PAGE_SIZE,
    description: 'How many at most, in the order of their ids; 1 to 1,000. Null for 100.',
  })
  first!: number | null;
}

@Resolver(() => DeletionPreviewType)
export class DeletionPreviewResolver {
  @FieldResolver(() => [GroupType], {
    description:
      'Groups that have other members, but no other owner. While there are any the account cannot be deleted: make ' +
      'another member an owner, or cancel them.',
  })
  blockingGroups(
    @Root() { userId }: DeletionPreviewType,
    @Args(() => FirstArgs) { first }: FirstArgs,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<GroupView[]> {
    return listBlockingGroups(groups, actor, { userId, first });
  }

  @FieldResolver(() => Int, { description: 'How many groups stand in the way of the deletion.' })
  async blockingGroupCount(
    @Root() { userId }: DeletionPreviewType,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<number> {
    return (await countDeletionEffects(groups, actor, userId)).blockingGroups;
  }

  @FieldResolver(() => [GroupChangePreviewType], {
    description: 'The groups that go on without the account, or without the invitation to its verified address.',
  })
  changingGroups(
    @Root() { userId }: DeletionPreviewType,
    @Args(() => FirstArgs) { first }: FirstArgs,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<GroupChangePreview[]> {
    return listChangingGroups(groups, actor, { userId, first });
  }

  @FieldResolver(() => Int, { description: 'How many groups go on without the account.' })
  async changingGroupCount(
    @Root() { userId }: DeletionPreviewType,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<number> {
    return (await countDeletionEffects(groups, actor, userId)).changingGroups;
  }

  @FieldResolver(() => Int, { description: 'How many unanswered invitations of theirs stay, without an inviter.' })
  async sentInvitations(
    @Root() { userId }: DeletionPreviewType,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<number> {
    return (await countDeletionEffects(groups, actor, userId)).sentInvitations;
  }
}
