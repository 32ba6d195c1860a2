import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, Info, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import {
  claimInvitation,
  inviteToGroup,
  MAX_INVITEES,
  revokeInvitation,
  type GroupView,
  type InvitationView,
  type InviteOutcome,
  type InviteToGroupResult,
  type MemberView,
  type ResponseStatus,
} from '../../../../groups/index.js';
import { toIdempotentOperation } from '../../../context/idempotent-operation.js';
import type { RequestContext } from '../../../context/request-context.js';
import { InviteOutcomeEnum, ResponseStatusEnum } from '../../../leaf-types/group-enums.js';
import { EmailAddress, UUID } from '../../../leaf-types/scalars.js';
import { NotAudited } from '../../../policies/audited-as.js';
import { MaxEntries } from '../../../policies/cost.js';
import { LimitedPerCaller } from '../../../policies/limited-per-caller.js';
import { GroupType } from '../../group/group.type.js';
import { MemberType } from '../../member/member.type.js';
import { InvitationType } from '../invitation.type.js';

@InputType('InviteeInput', { description: 'One person to invite, named in exactly one way.' })
class InviteeInput {
  @Field(() => UUID, { nullable: true, description: 'Their id; null when they are named another way.' })
  userId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Their username in any case; null when they are named another way.',
  })
  username?: string | null;

  @Field(() => EmailAddress, {
    nullable: true,
    description: 'Their email address, which is offered a place by mail; null when they are named another way.',
  })
  email?: string | null;
}

@InputType('InviteToGroupInput', { description: 'Whom to invite to a group.' })
class InviteToGroupInput {
  @Field(() => UUID, { description: 'Which group.' })
  groupId!: string;

  @Field(() => [InviteeInput], {
    description: '1 to 500 people; each gets an outcome of their own, and one bad entry never spoils the others.',
  })
  invitees!: InviteeInput[];
}

@InputType('ClaimInvitationInput', {
  description: "An invitation to claim, by its secret or from one's inbox, with an answer.",
})
class ClaimInvitationInput {
  @Field(() => String, {
    nullable: true,
    description: 'What follows `#secret=` in the mailed link; null to name the invitation by its id.',
  })
  secret?: string | null;

  @Field(() => UUID, {
    nullable: true,
    description: "An invitation to one's own verified address; null to name it by its secret.",
  })
  invitationId?: string | null;

  @Field(() => ResponseStatusEnum, {
    defaultValue: 'PENDING',
    description: 'The answer; PENDING takes the place and leaves the answer for later.',
  })
  status!: ResponseStatus;
}

@InputType('RevokeInvitationInput', { description: 'An invitation to take back.' })
class RevokeInvitationInput {
  @Field(() => UUID, { description: 'Which invitation.' })
  invitationId!: string;
}

@ObjectType('InviteResult', { description: 'What came of one entry of an invitation.' })
class InviteResultType {
  @Field(() => InviteOutcomeEnum, { description: 'What came of it.' })
  outcome!: InviteOutcome;

  @Field(() => MemberType, {
    nullable: true,
    description: 'The member that they are; null when they were not found, and for an address.',
  })
  member!: MemberView | null;

  @Field(() => InvitationType, {
    nullable: true,
    description: 'The invitation that was sent to an address; null for all other callers.',
  })
  invitation!: InvitationView | null;
}

@ObjectType('InviteToGroupPayload', { description: 'What came of an invitation.' })
class InviteToGroupPayload {
  @Field(() => GroupType, { description: 'The group with its new members.' })
  group!: GroupView;

  @MaxEntries(MAX_INVITEES)
  @Field(() => [InviteResultType], { description: 'One result for each entry, in the order of the input.' })
  results!: readonly InviteResultType[];
}

@ObjectType('ClaimInvitationPayload', { description: 'The place that was claimed.' })
class ClaimInvitationPayload {
  @Field(() => MemberType, { description: "The caller's place, with their answer." })
  member!: MemberView;
}

@ObjectType('RevokeInvitationPayload', { description: 'The group without the invitation.' })
class RevokeInvitationPayload {
  @Field(() => GroupType, { description: 'The group with its new counts.' })
  group!: GroupView;
}

@Resolver()
export class InvitationMutationsResolver {
  @NotAudited()
  @LimitedPerCaller()
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

  @NotAudited()
  @LimitedPerCaller()
  @Mutation(() => ClaimInvitationPayload, { description: 'Takes the offered place in a group, or declines it.' })
  claimInvitation(
    @Arg('input', () => ClaimInvitationInput, { description: 'Which invitation, and the answer.' })
    input: ClaimInvitationInput,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<ClaimInvitationPayload> {
    return claimInvitation(groups, actor, input);
  }

  @NotAudited()
  @LimitedPerCaller()
  @Mutation(() => RevokeInvitationPayload, {
    description: 'Takes back an invitation; its link stops working. Owners and administrators only.',
  })
  revokeInvitation(
    @Arg('input', () => RevokeInvitationInput, { description: 'Which invitation.' }) input: RevokeInvitationInput,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<RevokeInvitationPayload> {
    return revokeInvitation(groups, actor, input);
  }
}
