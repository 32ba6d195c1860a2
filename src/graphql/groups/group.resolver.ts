import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Mutation, Query, Resolver } from 'type-graphql';
import {
  cancelGroup,
  createGroup,
  getGroup,
  inviteToGroup,
  recordCompatibilityScore,
  updateGroup,
  updateMemberStatus,
  type GroupView,
  type InviteToGroupResult,
  type UpdateMemberStatusResult,
} from '../../groups/index.js';
import type { RequestContext } from '../context/request-context.js';
import { toIdempotentOperation } from '../context/idempotent-operation.js';
import { UUID } from '../leaf-types/scalars.js';
import { GroupType } from './group.type.js';
import {
  CancelGroupInput,
  CreateGroupInput,
  InviteToGroupInput,
  RecordCompatibilityScoreInput,
  UpdateGroupInput,
  UpdateMemberStatusInput,
} from './inputs.js';
import {
  CancelGroupPayload,
  CreateGroupPayload,
  InviteToGroupPayload,
  RecordCompatibilityScorePayload,
  UpdateGroupPayload,
  UpdateMemberStatusPayload,
} from './payloads.js';

@Resolver()
export class GroupResolver {
  @Query(() => GroupType, {
    description: 'A group that the caller is in; for administrators and programs that may read groups, any.',
  })
  group(
    @Arg('id', () => UUID, { description: 'Which group.' }) id: string,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<GroupView> {
    return getGroup(groups, actor, id);
  }

  @Mutation(() => CreateGroupPayload, { description: 'Creates a group; the caller becomes its owner.' })
  createGroup(
    @Arg('input', () => CreateGroupInput, { description: 'The group to be.' }) input: CreateGroupInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<CreateGroupPayload> {
    return createGroup(context.groups, context.actor, input, toIdempotentOperation(context, info, input));
  }

  @Mutation(() => UpdateGroupPayload, {
    description: 'Changes name, description, quorum or deadline. Owners and administrators only.',
  })
  updateGroup(
    @Arg('input', () => UpdateGroupInput, { description: 'The change.' }) input: UpdateGroupInput,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<UpdateGroupPayload> {
    return updateGroup(groups, actor, input);
  }

  @Mutation(() => CancelGroupPayload, { description: 'Cancels a group for good. Owners and administrators only.' })
  cancelGroup(
    @Arg('input', () => CancelGroupInput, { description: 'Which group.' }) input: CancelGroupInput,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<CancelGroupPayload> {
    return cancelGroup(groups, actor, input);
  }

  @Mutation(() => InviteToGroupPayload, {
    description: 'Invites people to a group, by user id or by username. Owners and administrators only.',
  })
  inviteToGroup(
    @Arg('input', () => InviteToGroupInput, { description: 'Whom to invite.' }) input: InviteToGroupInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<InviteToGroupResult> {
    return inviteToGroup(context.groups, context.actor, input, toIdempotentOperation(context, info, input));
  }

  @Mutation(() => UpdateMemberStatusPayload, {
    description:
      "Records one member's answer and recalculates the state of the group. The member themselves, administrators, and programs that may write responses.",
  })
  updateMemberStatus(
    @Arg('input', () => UpdateMemberStatusInput, { description: 'The answer.' }) input: UpdateMemberStatusInput,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<UpdateMemberStatusResult> {
    return updateMemberStatus(groups, actor, input);
  }

  @Mutation(() => RecordCompatibilityScorePayload, {
    description:
      'Stores a score for a group; it replaces the last one. Administrators, and programs that may write scores.',
  })
  recordCompatibilityScore(
    @Arg('input', () => RecordCompatibilityScoreInput, { description: 'The score.' })
    input: RecordCompatibilityScoreInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RecordCompatibilityScorePayload> {
    return recordCompatibilityScore(context.groups, context.actor, input, toIdempotentOperation(context, info, input));
  }
}
