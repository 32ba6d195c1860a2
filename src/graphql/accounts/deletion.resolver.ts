import { Arg, Ctx, Field, FieldResolver, InputType, Int, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import type { ViewerView } from '../../accounts/index.js';
import { deleteAccount, type DeletionPreview, exportAccount, type GroupChangePreview, type GroupState, type GroupView, previewDeletion } from '../../groups/index.js';
import type { RequestContext } from '../context.js';
import { GroupStateEnum } from '../groups/enums.js';
import { GroupType } from '../groups/group.type.js';
import { JSONValue, UUID } from '../scalars.js';
import { ViewerType } from './viewer.type.js';

@ObjectType('GroupChangePreview', { description: 'What the end of an account would mean for a group that goes on without it.' })
class GroupChangePreviewType {
  @Field(() => GroupType, { description: 'The group, as it is now.' })
  group!: GroupView;

  @Field(() => GroupStateEnum, { description: 'Its state now.' })
  before!: GroupState;

  @Field(() => GroupStateEnum, { description: 'The state that it would have; often the same.' })
  after!: GroupState;
}

@ObjectType('DeletionPreview', { description: 'What deleting the account would lead to at this moment. Groups that nobody else is in go with it.' })
class DeletionPreviewType {
  @Field(() => [GroupType], {
    description: 'Groups that have other members, but no other owner. While there are any the account cannot be deleted: make somebody else an owner, or cancel them.',
  })
  blockingGroups!: readonly GroupView[];

  @Field(() => [GroupChangePreviewType], {
    description: 'The groups that go on without the account, or without the invitation to its verified address.',
  })
  changingGroups!: readonly GroupChangePreview[];

  @Field(() => Int, { description: 'How many unanswered invitations of theirs stay, without an inviter.' })
  sentInvitations!: number;
}

@InputType('DeleteAccountInput', { description: 'What it takes to delete one\'s account.' })
class DeleteAccountInput {
  @Field(() => String, { description: 'The current password.' })
  password!: string;
}

@ObjectType('DeleteAccountPayload', { description: 'The account that is gone.' })
class DeleteAccountPayload {
  @Field(() => UUID, { description: 'Whose account it was.' })
  deletedUserId!: string;
}

@Resolver(() => ViewerType)
export class DeletionResolver {
  @FieldResolver(() => DeletionPreviewType, { description: 'What deleting the account would lead to. Takes their token.' })
  deletionPreview(@Root() viewer: ViewerView, @Ctx() { groups, actor }: RequestContext): Promise<DeletionPreview> {
    return previewDeletion(groups, actor, viewer.id);
  }

  @FieldResolver(() => JSONValue, { description: 'Everything that is held about the account, as one document. Takes their token.' })
  export(@Root() viewer: ViewerView, @Ctx() { groups, actor }: RequestContext): Promise<unknown> {
    return exportAccount(groups, actor, viewer.id);
  }

  @Mutation(() => DeleteAccountPayload, {
    description: 'Deletes the account that asks, for good: its tokens are dead at once, and its groups go on without it. `deletionPreview` shows what that leads to.',
  })
  deleteAccount(
    @Arg('input', () => DeleteAccountInput, { description: 'The proof that it is its owner who asks.' }) { password }: DeleteAccountInput,
    @Ctx() { accounts, actor, client }: RequestContext,
  ): Promise<DeleteAccountPayload> {
    return deleteAccount(accounts, actor, password, client);
  }
}
