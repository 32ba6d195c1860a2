import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, Info, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { cancelGroup, createGroup, updateGroup, type GroupView } from '../../../../groups/index.js';
import { toIdempotentOperation } from '../../../context/idempotent-operation.js';
import type { RequestContext } from '../../../context/request-context.js';
import { DateTime, UUID } from '../../../leaf-types/scalars.js';
import { NotAudited } from '../../../policies/audited-as.js';
import { LimitedPerCaller } from '../../../policies/limited-per-caller.js';
import { GroupType } from '../group.type.js';

@InputType('CreateGroupInput', { description: 'A group to be. Its creator becomes its owner, and has accepted.' })
class CreateGroupInput {
  @Field(() => String, { description: 'What it is called; 1 to 120 characters.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'What it is about; at most 2,000 characters; null for none.' })
  description?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many must accept, 1 to 1,000,000; null for all who are asked.',
  })
  quorum?: number | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Until when answers are taken, in the future and before the year 10000 in UTC; null for no deadline.',
  })
  respondBy?: Date | null;
}

@InputType('UpdateGroupInput', { description: 'What to change about a group: null clears, what is left out stays.' })
class UpdateGroupInput {
  @Field(() => UUID, { description: 'Which group.' })
  groupId!: string;

  @Field(() => String, { nullable: true, description: 'A new name; 1 to 120 characters; cannot be cleared.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'A new description; null for none.' })
  description?: string | null;

  @Field(() => Int, { nullable: true, description: 'A new quorum, 1 to 1,000,000; null for all who are asked.' })
  quorum?: number | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'A new deadline, in the future and before the year 10000 in UTC; null for none.',
  })
  respondBy?: Date | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The revision that the change is meant for; refused when the group has moved on. Null to change it in any case.',
  })
  expectedRevision?: number | null;
}

@InputType('CancelGroupInput', { description: 'A group to cancel.' })
class CancelGroupInput {
  @Field(() => UUID, { description: 'Which group.' })
  groupId!: string;
}

@ObjectType('CreateGroupPayload', { description: 'The group that was created.' })
class CreateGroupPayload {
  @Field(() => GroupType, { description: 'The new group.' })
  group!: GroupView;
}

@ObjectType('UpdateGroupPayload', { description: 'The group after the change.' })
class UpdateGroupPayload {
  @Field(() => GroupType, { description: 'The group, also when there was nothing to change.' })
  group!: GroupView;
}

@ObjectType('CancelGroupPayload', { description: 'The cancelled group.' })
class CancelGroupPayload {
  @Field(() => GroupType, { description: 'The group, also when it was cancelled before.' })
  group!: GroupView;
}

@Resolver()
export class GroupMutationsResolver {
  @NotAudited()
  @LimitedPerCaller()
  @Mutation(() => CreateGroupPayload, { description: 'Creates a group; the caller becomes its owner.' })
  createGroup(
    @Arg('input', () => CreateGroupInput, { description: 'The group to be.' }) input: CreateGroupInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<CreateGroupPayload> {
    return createGroup(context.groups, context.actor, input, toIdempotentOperation(context, info, input));
  }

  @NotAudited()
  @LimitedPerCaller()
  @Mutation(() => UpdateGroupPayload, {
    description: 'Changes name, description, quorum or deadline. Owners and administrators only.',
  })
  updateGroup(
    @Arg('input', () => UpdateGroupInput, { description: 'The change.' }) input: UpdateGroupInput,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<UpdateGroupPayload> {
    return updateGroup(groups, actor, input);
  }

  @NotAudited()
  @LimitedPerCaller()
  @Mutation(() => CancelGroupPayload, { description: 'Cancels a group for good. Owners and administrators only.' })
  cancelGroup(
    @Arg('input', () => CancelGroupInput, { description: 'Which group.' }) input: CancelGroupInput,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<CancelGroupPayload> {
    return cancelGroup(groups, actor, input);
  }
}
