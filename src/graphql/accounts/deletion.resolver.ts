import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { requireSelf, type ViewerView } from '../../accounts/index.js';
import { type GroupChangePreview, type GroupState, type GroupView } from '../../groups/index.js';
import {
  countDeletionEffects,
  deleteAccount,
  exportAccount,
  listBlockingGroups,
  listChangingGroups,
  MAX_EXPORT_ROWS,
} from '../../person-lifecycle/index.js';
import type { RequestContext } from '../context.js';
import { GroupStateEnum } from '../groups/enums.js';
import { GroupType } from '../groups/group.type.js';
import { costs } from '../limits/field-cost.js';
import { oncePerRequest } from '../once-per-request.js';
import { DEFAULT_PAGE_SIZE } from '../page-args.js';
import { JSONValue, UUID } from '../scalars.js';
import { ViewerType } from './viewer.type.js';

/** What a record counts as, of those that an export holds. */
const FIELDS_OF_A_RECORD = 5;

@ObjectType('GroupChangePreview', {
  description: 'What the end of an account would mean for a group that goes on without it.',
})
class GroupChangePreviewType {
  @Field(() => GroupType, { description: 'The group, as it is now.' })
  group!: GroupView;

  @Field(() => GroupStateEnum, { description: 'Its state now.' })
  before!: GroupState;

  @Field(() => GroupStateEnum, { description: 'The state that it would have; often the same.' })
  after!: GroupState;
}

@ObjectType('DeletionPreview', {
  description: 'What deleting the account would lead to at this moment. Groups that nobody else is in go with it.',
})
class DeletionPreviewType {
  /** Whose deletion it is about; each field reads what it shows. */
  userId!: string;
}

@ArgsType()
class FirstArgs {
  @Field(() => Int, {
    defaultValue: DEFAULT_PAGE_SIZE,
    description: 'How many at most, in the order of their ids; 1 to 1,000.',
  })
  first!: number;
}

@Resolver(() => DeletionPreviewType)
export class DeletionPreviewResolver {
  @FieldResolver(() => [GroupType], {
    description:
      'Groups that have other members, but no other owner. While there are any the account cannot be deleted: make somebody else an owner, or cancel them.',
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

@InputType('DeleteAccountInput', { description: "What it takes to delete one's account." })
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
  @FieldResolver(() => DeletionPreviewType, {
    description: 'What deleting the account would lead to. Takes their token.',
  })
  deletionPreview(@Root() viewer: ViewerView, @Ctx() { actor }: RequestContext): DeletionPreviewType {
    return { userId: requireSelf(actor, viewer.id).userId };
  }

  @Extensions(costs(MAX_EXPORT_ROWS * FIELDS_OF_A_RECORD))
  @FieldResolver(() => JSONValue, {
    description:
      'Everything that is held about the account, as a document of at most 2,000 records. Its `next`, sent as `after`, gives the ' +
      'document that follows; it is null in the last. Takes their token.',
  })
  export(
    @Root() viewer: ViewerView,
    @Arg('after', () => String, {
      nullable: true,
      description: 'The `next` of the document before; null for the first.',
    })
    after: string | null,
    @Ctx() context: RequestContext,
  ): Promise<unknown> {
    return oncePerRequest(context, `export ${viewer.id} ${after ?? ''}`, () =>
      exportAccount(context.groups, context.actor, viewer.id, after),
    );
  }

  @Mutation(() => DeleteAccountPayload, {
    description:
      'Deletes the account that asks, for good: its tokens are dead at once, and its groups go on without it. `deletionPreview` shows what that leads to.',
  })
  deleteAccount(
    @Arg('input', () => DeleteAccountInput, { description: 'The proof that it is its owner who asks.' })
    { password }: DeleteAccountInput,
    @Ctx() { accounts, groups, actor, client }: RequestContext,
  ): Promise<DeleteAccountPayload> {
    return deleteAccount({ ...accounts, writeQueue: groups.writeQueue }, actor, password, client);
  }
}
