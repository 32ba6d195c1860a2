import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import {
  changeMemberRole,
  leaveGroup,
  removeMember,
  updateMemberStatus,
  type GroupRole,
  type GroupState,
  type GroupView,
  type MemberView,
  type ResponseStatus,
  type UpdateMemberStatusResult,
} from '../../../../groups/index.js';
import type { RequestContext } from '../../../context/request-context.js';
import { GroupRoleEnum, GroupStateEnum, ResponseStatusEnum } from '../../../leaf-types/group-enums.js';
import { UUID } from '../../../leaf-types/scalars.js';
import { NotAudited } from '../../../policies/audited-as.js';
import { LimitedPerCaller } from '../../../policies/limited-per-caller.js';
import { GroupType } from '../../group/group.type.js';
import { MemberType } from '../member.type.js';

@InputType('UpdateMemberStatusInput', { description: "One member's answer." })
class UpdateMemberStatusInput {
  @Field(() => UUID, { description: 'Which group.' })
  groupId!: string;

  @Field(() => UUID, { description: 'Which member.' })
  userId!: string;

  @Field(() => ResponseStatusEnum, { description: 'The answer.' })
  status!: ResponseStatus;

  @Field(() => Int, {
    nullable: true,
    description:
      "The member's revision that the answer is meant for; refused when they have moved on. Null to answer in any " +
      'case.',
  })
  expectedRevision?: number | null;
}

@InputType('ChangeMemberRoleInput', { description: 'The role that a member is to have.' })
class ChangeMemberRoleInput {
  @Field(() => UUID, { description: 'Which group.' })
  groupId!: string;

  @Field(() => UUID, { description: 'Which member.' })
  userId!: string;

  @Field(() => GroupRoleEnum, { description: 'The role; a group can have several owners, but always has one.' })
  role!: GroupRole;
}

@InputType('RemoveMemberInput', { description: 'A member to remove.' })
class RemoveMemberInput {
  @Field(() => UUID, { description: 'Which group.' })
  groupId!: string;

  @Field(() => UUID, { description: 'Which member.' })
  userId!: string;
}

@InputType('LeaveGroupInput', { description: 'A group to leave.' })
class LeaveGroupInput {
  @Field(() => UUID, { description: 'Which group.' })
  groupId!: string;
}

@ObjectType('UpdateMemberStatusPayload', { description: "A member's answer and what it led to." })
class UpdateMemberStatusPayload {
  @Field(() => MemberType, { description: 'The member with the answer.' })
  member!: MemberView;

  @Field(() => GroupType, { description: 'The group with its new state and counts.' })
  group!: GroupView;

  @Field(() => Boolean, {
    description: 'False when the member had given that very answer before; then nothing was written.',
  })
  changed!: boolean;

  @Field(() => GroupStateEnum, { description: 'The state just before.' })
  previousState!: GroupState;
}

@ObjectType('ChangeMemberRolePayload', { description: 'The member after the change.' })
class ChangeMemberRolePayload {
  @Field(() => MemberType, { description: 'The member, also when they had that role before.' })
  member!: MemberView;
}

@ObjectType('RemoveMemberPayload', { description: 'The group without the member.' })
class RemoveMemberPayload {
  @Field(() => GroupType, { description: 'The group with its new state and counts.' })
  group!: GroupView;
}

@ObjectType('LeaveGroupPayload', { description: 'The group that was left.' })
class LeaveGroupPayload {
  @Field(() => ID, { description: 'Which group; the caller can no longer see it.' })
  groupId!: string;
}

@Resolver()
export class MemberMutationsResolver {
  @NotAudited()
  @LimitedPerCaller()
  @Mutation(() => UpdateMemberStatusPayload, {
    description:
      "Records one member's answer and recalculates the state of the group. The member themselves, administrators, " +
      'and programs that may write responses.',
  })
  updateMemberStatus(
    @Arg('input', () => UpdateMemberStatusInput, { description: 'The answer.' }) input: UpdateMemberStatusInput,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<UpdateMemberStatusResult> {
    return updateMemberStatus(groups, actor, input);
  }

  @NotAudited()
  @LimitedPerCaller()
  @Mutation(() => ChangeMemberRolePayload, {
    description: 'Makes a member an owner, or an owner a member like any other. Owners and administrators only.',
  })
  changeMemberRole(
    @Arg('input', () => ChangeMemberRoleInput, { description: 'Who, and which role.' }) input: ChangeMemberRoleInput,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<ChangeMemberRolePayload> {
    return changeMemberRole(groups, actor, input);
  }

  @NotAudited()
  @LimitedPerCaller()
  @Mutation(() => RemoveMemberPayload, {
    description:
      'Removes a member; the state of the group follows. Owners and administrators only; the last owner stays.',
  })
  removeMember(
    @Arg('input', () => RemoveMemberInput, { description: 'Whom.' }) input: RemoveMemberInput,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<RemoveMemberPayload> {
    return removeMember(groups, actor, input);
  }

  @NotAudited()
  @LimitedPerCaller()
  @Mutation(() => LeaveGroupPayload, { description: 'Leaves a group; its state follows. The last owner stays.' })
  leaveGroup(
    @Arg('input', () => LeaveGroupInput, { description: 'Which group.' }) input: LeaveGroupInput,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<LeaveGroupPayload> {
    return leaveGroup(groups, actor, input);
  }
}
