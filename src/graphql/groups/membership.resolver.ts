import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import {
  changeMemberRole,
  leaveGroup,
  removeMember,
  type GroupRole,
  type GroupView,
  type MemberView,
} from '../../groups/index.js';
import type { RequestContext } from '../context/request-context.js';
import { UUID } from '../leaf-types/scalars.js';
import { GroupRoleEnum } from '../leaf-types/group-enums.js';
import { GroupType } from './group.type.js';
import { MemberType } from './member.type.js';

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
  @Field(() => UUID, { description: 'Which group; the caller can no longer see it.' })
  groupId!: string;
}

@Resolver()
export class MemberMutationsResolver {
  @Mutation(() => ChangeMemberRolePayload, {
    description: 'Makes a member an owner, or an owner a member like any other. Owners and administrators only.',
  })
  changeMemberRole(
    @Arg('input', () => ChangeMemberRoleInput, { description: 'Who, and which role.' }) input: ChangeMemberRoleInput,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<ChangeMemberRolePayload> {
    return changeMemberRole(groups, actor, input);
  }

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

  @Mutation(() => LeaveGroupPayload, { description: 'Leaves a group; its state follows. The last owner stays.' })
  leaveGroup(
    @Arg('input', () => LeaveGroupInput, { description: 'Which group.' }) input: LeaveGroupInput,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<LeaveGroupPayload> {
    return leaveGroup(groups, actor, input);
  }
}
